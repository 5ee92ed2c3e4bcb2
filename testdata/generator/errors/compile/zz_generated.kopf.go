package broken (
