package schema

// The types of TestFieldsAreThoseOfEncodingJSON, in a file without imports that the test can check by itself.

//lint:file-ignore SA5008 odd tags are what the test is about
//lint:file-ignore U1000 the test reads the types from the source

type plainShape struct {
	A       int
	B       int `json:"b"`
	C       int `json:"-"`
	D       int `json:"-,"`
	E       int `json:",omitempty"`
	private int
}

type baseShape struct {
	X int `json:"x"`
	Y int `json:"y"`
	Z int
}

type embeddingShape struct {
	baseShape `json:",inline"`
	Y         string `json:"y"`
}

type namedShape struct {
	baseShape `json:"base"`
	BaseTwo   `json:"two"`
}

type BaseTwo struct {
	X int `json:"x"`
	W int `json:"w"`
}

type ambiguousShape struct {
	OneShape
	TwoShape
}

type (
	OneShape struct{ Same, One int }
	TwoShape struct{ Same, Two int }
)

type taggedWinsShape struct {
	LeftShape
	RightShape
}

type (
	LeftShape  struct{ Name int }
	RightShape struct {
		Other int `json:"Name"`
	}
)

type PointerShape struct {
	*BaseTwo
	Next *PointerShape `json:"next,omitempty"`
}

type deepShape struct{ PointerShape }

type ownNameShape struct {
	Base BaseTwo `json:",inline"`
}

type defined int

type definedShape struct {
	defined
	Exported
}

type Exported int
