package diagnostic

import "strings"

// Nearest returns the candidate that word is most likely a misspelling of, or else one that begins like it ("retry", "retries");
// "" if none is near. Upper and lower case count as equal. Of two that are equally near the earlier wins.
func Nearest(word string, candidates []string) string {
	// A third of the letters may be wrong, at least one. A larger limit would suggest words that only have their length in common.
	limit := max(1, len(word)/3)
	nearest := ""
	for _, c := range candidates {
		if d := Distance(strings.ToLower(word), strings.ToLower(c)); d <= limit {
			nearest, limit = c, d-1
		}
	}
	if nearest != "" || len(word) < stem {
		return nearest
	}
	for _, c := range candidates {
		if len(c) >= stem && strings.EqualFold(c[:stem], word[:stem]) {
			return c
		}
	}
	return ""
}

// stem is how many letters two words must share to begin alike.
const stem = 4

// DidYouMean is the hint `did you mean "x"?` for the nearest candidate, or "" if none is near.
func DidYouMean(word string, candidates []string) string {
	if nearest := Nearest(word, candidates); nearest != "" {
		return `did you mean "` + nearest + `"?`
	}
	return ""
}

// Distance is the number of letters to insert, delete, replace or swap with their neighbour to get from a to b
// (the "optimal string alignment" distance).
func Distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	// Three rows of the usual matrix: a swap looks back two.
	before, above, row := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(s); i++ {
		before, above, row = above, row, before
		row[0] = i
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(t)]
}
