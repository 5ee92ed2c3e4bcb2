package generator

import "testing"

func TestIDs(t *testing.T) {
	tests := []struct{ name, goID, snake string }{
		{"Greet", "greet", "greet"},
		{"greet", "greet", "greet"},
		{"HTTPProxy", "httpProxy", "http_proxy"},
		{"OnCreateURL", "onCreateURL", "on_create_url"},
		{"A", "a", "a"},
		{"AB", "ab", "ab"},
		{"ABc", "aBc", "a_bc"},
		{"create_fn", "create_fn", "create_fn"},
		{"Create_Fn", "create_Fn", "create_fn"},
		{"V2Ready", "v2Ready", "v2_ready"},
	}
	for _, tt := range tests {
		if got := goID(tt.name); got != tt.goID {
			t.Errorf("goID(%s): %s, want %s", tt.name, got, tt.goID)
		}
		if got := snakeID(tt.name); got != tt.snake {
			t.Errorf("snakeID(%s): %s, want %s", tt.name, got, tt.snake)
		}
	}
}
