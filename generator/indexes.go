package generator

import "github.com/kopfgen/kopfgen/generator/model"

// indexes finds the indexes before any parameter is bound, since a function may stand before those that fill the index that it takes.
func (a *assembly) indexes() {
	a.filled = map[*entry]*model.Index{}
	for _, e := range a.entries {
		if !e.on().Has(model.OnIndex) {
			continue
		}
		if e.marker.Faulty {
			a.binder.IndexesLost = true // its id may not be what was meant
		}
		a.filled[e] = a.binder.Index(e.fn, a.id(e), e.marker.Pos)
	}
}
