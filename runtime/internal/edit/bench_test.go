package edit

import "testing"

// BenchmarkDiff measures the edit of a scalar, and that of a list, of an object of 1 KB.
func BenchmarkDiff(b *testing.B) {
	const raw = `{"apiVersion":"v1","kind":"Widget","metadata":{"name":"n","namespace":"s","uid":"u","labels":{"a":"1","b":"2","c":"3"},` +
		`"annotations":{"d":"4","e":"5"},"resourceVersion":"1","creationTimestamp":"2026-01-01T00:00:00Z"},` +
		`"spec":{"size":1,"name":"x","labels":{"a":"1","b":"2"},"box":{"color":"red","weight":1},"any":{"a":{"b":[1,2,3]}},` +
		`"ports":[{"name":"a","port":1,"x":1},{"name":"b","port":2,"x":2},{"name":"c","port":3,"x":3},{"name":"d","port":4}],` +
		`"rules":[{"host":"a.example.com","path":"/a"},{"host":"b.example.com","path":"/b"}],"args":["one","two","three"]},` +
		`"status":{"phase":"A","conditions":[{"type":"A","status":"True","changed":"2026-01-01T00:00:00Z"},{"type":"B","status":"False"}]}}`
	for name, handler := range map[string]func(*Widget){
		"nothing": func(*Widget) {},
		"scalar":  func(w *Widget) { w.Spec.Size = 2 },
		"list":    func(w *Widget) { w.Spec.Ports[1].Port = 20 },
	} {
		b.Run(name, func(b *testing.B) {
			e := around(b, raw, handler)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Diff([]byte(raw), e); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
