package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// markdown returns the report for people: conditions, measures, targets.
func (r report) markdown() string {
	var out strings.Builder
	for _, c := range r.Conditions {
		fmt.Fprintf(&out, "* %s: %s\n", c.Name, c.Value)
	}
	for _, failure := range r.Failures {
		fmt.Fprintf(&out, "* not come through: %s\n", failure)
	}
	out.WriteString("\n| measure | peers | kopfgen | ratio |\n| --- | --- | --- | --- |\n")
	for _, row := range r.Measures {
		var others, ratios []string
		for _, p := range slices.Sorted(maps.Keys(row.Peers)) {
			if p == kopfgen {
				continue
			}
			others = append(others, fmt.Sprintf("%s %s", p, row.Peers[p].text(row.Unit)))
			if ratio, ok := row.Ratios[p]; ok {
				ratios = append(ratios, significant(ratio))
			} else {
				ratios = append(ratios, "–")
			}
		}
		own := "–"
		if s, ok := row.Peers[kopfgen]; ok {
			own = s.text(row.Unit)
		}
		fmt.Fprintf(&out, "| %s | %s | %s | %s |\n", row.Name, strings.Join(others, "; "), own, strings.Join(ratios, "; "))
	}
	out.WriteString("\n| target | got | |\n| --- | --- | --- |\n")
	for _, v := range r.Targets {
		word := "missed"
		if v.Met {
			word = "met"
		}
		fmt.Fprintf(&out, "| %s: %s | %s | %s |\n", v.Measure, v.Target, significant(v.Got), word)
	}
	return out.String()
}

// text returns the median, and the spread where there is one.
func (s summary) text(unit string) string {
	text := strings.TrimSpace(significant(s.Median) + " " + unit)
	if low, high := significant(s.Min), significant(s.Max); low != high {
		text += fmt.Sprintf(" (%s to %s)", low, high)
	}
	return text
}

// significant returns a number with the digits that mean something in measurements on a shared machine: two, and those before the
// decimal point.
func significant(x float64) string {
	decimals := 0
	if x != 0 {
		decimals = max(0, 1-int(math.Floor(math.Log10(math.Abs(x)))))
	}
	return strconv.FormatFloat(x, 'f', decimals, 64)
}
