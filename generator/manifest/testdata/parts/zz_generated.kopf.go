package parts

func broken( {
