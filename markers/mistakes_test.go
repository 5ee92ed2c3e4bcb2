package markers_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kopfgen/kopfgen/internal/diagnostic"
	"github.com/kopfgen/kopfgen/markers"
)

// caret marks, in the source of a test, the byte that a diagnostic must point to.
const caret = "‸"

// mistake is source with carets, and what must be reported at each of them, in order: "KG010 message", and " | hint" if it matters.
type mistake struct {
	source string
	want   []string
}

// wrongHeads are lines that were meant as markers; each stands above a function.
var wrongHeads = []mistake{
	{"//+‸Kopf:on=create", []string{"KG001 a marker starts with +kopf:, not +Kopf | write //+kopf:on=create"}},
	{"//+‸KOPF:on=create", []string{"KG001 a marker starts with +kopf:, not +KOPF | write //+kopf:on=create"}},
	{"//+‸kpof:on=create,id=x", []string{"KG001 a marker starts with +kopf:, not +kpof | write //+kopf:on=create,id=x"}},
	{"//+‸kopfgen:on=create", []string{"KG001 a marker starts with +kopf:, not +kopfgen | write //+kopf:on=create"}},
	{"//+kopf‸ on=create", []string{"KG001 a colon separates kopf from the marker's name | write //+kopf:on=create"}},
	{"//+kopf‸.on=create", []string{"KG001 a colon separates kopf from the marker's name | write //+kopf:on=create"}},
	{"//+kopf‸-on=create", []string{"KG001 a colon separates kopf from the marker's name | write //+kopf:on=create"}},
	{"//+kopf‸=on=create", []string{"KG001 a colon separates kopf from the marker's name | write //+kopf:on=create"}},
	{"//+kopf‸::on=create", []string{"KG001 a colon separates kopf from the marker's name | write //+kopf:on=create"}},
	{"//+kopf‸: on=create", []string{"KG001 a colon separates kopf from the marker's name | write //+kopf:on=create"}},
	{"//+kopf‸.on.create", []string{"KG001 a colon separates kopf from the marker's name | write //+kopf:on=create"}},
	{"//+kopf:on‸:create", []string{"KG001 an equals sign follows +kopf:on | write //+kopf:on=create"}},
	{"//+kopf:on‸.create", []string{"KG001 an equals sign follows +kopf:on | write //+kopf:on=create"}},
	{"//+kopf:on‸ create", []string{"KG001 an equals sign follows +kopf:on | write //+kopf:on=create"}},
	{"//+kopf:on=‸=create", []string{`KG008 an equals sign in the value of "on"`}},
	{"//+kopf:on=‸:create", []string{`KG012 unknown kind ":create" | did you mean "create"?`}},
	{"//+kopf:‸On=create", []string{"KG001 markers are in lower case | write //+kopf:on=create"}},
	{"//+‸Kopf On create", []string{"KG001 a marker starts with +kopf:, not +Kopf | write //+kopf:on=create"}},
	{"//+kopf:‸om=create", []string{"KG002 unknown marker +kopf:om | write //+kopf:on=create"}},
	{"//‸kopf:on=create", []string{"KG001 a marker starts with a plus sign | write //+kopf:on=create"}},
	{"//‸kopf:on create", []string{"KG001 a marker starts with a plus sign | write //+kopf:on=create"}},
	{"//‸kopf:handler", []string{"KG001 a marker starts with a plus sign | write //+kopf:on=<kind> on a function, //+kopf:operator=<name> above the package clause"}},
	{"// ‸Kopf:on=create", []string{"KG001 a marker starts with a plus sign | write //+kopf:on=create"}},
	{"//\t‸+kopf:on=create", []string{"KG001 an indented marker would become an example | write //+kopf:on=create; an example in a comment has slashes of its own"}},
	{"//‸\u00a0+kopf:on=create", []string{"KG001 an invisible character before the marker | write //+kopf:on=create"}},
	{"//‸ \u200b+kopf:on=create", []string{"KG001 an invisible character before the marker | write //+kopf:on=create"}},
	{"//  ‸+kopf:on=create", []string{"KG001 an indented marker would become an example"}},
	{"//+‸ kopf:on=create", []string{"KG001 a space after the plus sign | write //+kopf:on=create"}},
	{"//+kopf‸", []string{"KG002 incomplete marker"}},
	{"//+kopf:‸", []string{"KG002 incomplete marker"}},
	{"//+kopf:‸create", []string{"KG002 unknown marker +kopf:create | write //+kopf:on=create"}},
	{"//+kopf:‸kind=Foo,on=create", []string{"KG002 unknown marker +kopf:kind | the first argument is on: +kopf:on=<kind>,kind=Foo"}},
	{"//+kopf:‸handler=x", []string{"KG002 unknown marker +kopf:handler"}},
	{"//+kopf:‸on", []string{"KG009 +kopf:on has no value"}},
	{"//+kopf:‸on:kind=Foo", []string{"KG009 +kopf:on has no value"}},
	{"//+kopf:‸on,kind=Foo", []string{"KG009 +kopf:on has no value"}},
	{"//+‸Kopf:on=‸craete", []string{"KG001 a marker starts with +kopf:, not +Kopf | write //+kopf:on=craete", `KG012 unknown kind "craete"`}},
}

// wrongArguments are faulty arguments; each stands above a function.
var wrongArguments = []mistake{
	// What is lost.
	{"//+kopf:on=create,kind=Foo ‸extra words", []string{`KG008 text after the value of "kind" | a value with spaces needs quotes`}},
	{"//+kopf:on=create,kind=Foo ‸// x", []string{`KG008 text after the value of "kind" | remarks stand on a line of their own`}},
	{"//+kopf:on=create ‸# x", []string{`KG008 text after the value of "on" | remarks stand on a line of their own`}},
	{"//+kopf:on=create,kind=Foo ‸extra retries=‸0", []string{`KG008 text after the value of "kind"`, "KG019 retries=0 would allow no attempt at all"}},
	{`//+kopf:on=create,kind="Foo"‸bar`, []string{`KG008 text after the closing quote of "kind" | quote the whole value`}},
	{`//+kopf:on=create,kind=Foo‸=Bar`, []string{`KG008 an equals sign in the value of "kind"`}},
	{`//+kopf:on=create,kind=‸=,id=‸=a`, []string{`KG008 an equals sign in the value of "kind"`, `KG008 an equals sign in the value of "id"`}},
	{`//+kopf:on=create,kind=Foo‸;Bar`, []string{`KG008 "kind" takes one value`}},
	{`//+kopf:on=create,‸"x"`, []string{`KG008 "x" where an argument should begin`}},
	{`//+kopf:on=create,‸=x`, []string{`KG008 = where an argument should begin`}},
	{`//+kopf:on=create,‸;x,retries=‸0`, []string{`KG008 ; where an argument should begin`, "KG019 retries=0 would allow no attempt at all"}},

	// Separators.
	{"//+kopf:on=create‸,", []string{"KG007 nothing follows the last comma | remove it; a marker is one line"}},
	{"//+kopf:on=create‸,  ", []string{"KG007 nothing follows the last comma"}},
	{"//+kopf:on=create,‸,kind=Foo", []string{"KG007 one comma too many | remove it"}},
	{"//+kopf:on=create‸;", []string{"KG007 one semicolon too many | remove it"}},
	{"//+kopf:on=create‸;;update", []string{"KG007 one semicolon too many"}},
	{"//+kopf:on=create‸;,kind=Foo", []string{"KG007 one semicolon too many"}},
	{"//+kopf:on=create‸;kind=Foo", []string{"KG007 a semicolon between arguments | write a comma"}},
	{"//+kopf:on=create ‸kind=Foo", []string{"KG007 no comma between arguments | write a comma before kind"}},

	// Quotes.
	{`//+kopf:on=create,labels=‸"a=b`, []string{"KG006 the quote is never closed | close it on the same line"}},
	{"//+kopf:on=create,labels=‸`a=b", []string{"KG006 the quote is never closed"}},
	{`//+kopf:on=create,labels=‸"a=b\"`, []string{"KG006 the quote is never closed"}},
	{`//+kopf:on=create,‸"x`, []string{"KG006 the quote is never closed"}},
	{`//+kopf:on=create,id="a‸\qb"`, []string{"KG006 unknown escape in a quoted string"}},
	{`//+kopf:on=create,id=‸'a'`, []string{"KG006 single quotes do not quote | use double or back quotes"}},
	{`//+kopf:on=create,id=a‸"b"`, []string{`KG006 a quote in the middle of the value of "id"`}},

	// Names of arguments, and arguments without a value.
	{"//+kopf:on=create,‸retires=3", []string{`KG010 unknown argument "retires" | did you mean "retries"?`}},
	{"//+kopf:on=create,‸Retries=3", []string{`KG010 unknown argument "Retries" | did you mean "retries"?`}},
	{"//+kopf:on=create,‸retry=3", []string{`KG010 unknown argument "retry" | did you mean "retries"?`}},
	{"//+kopf:on=create,‸prefix=x", []string{`KG010 unknown argument "prefix" | it is an argument of +kopf:operator`}},
	{"//+kopf:on=create,‸on-error=x", []string{`KG010 unknown argument "on-error"`}},
	{"//+kopf:on=create,retries=3,‸retries=4", []string{`KG011 "retries" is given twice | remove one`}},
	{"//+kopf:on=create,‸on=update", []string{`KG011 "on" is given twice`}},
	{"//+kopf:‸on=", []string{`KG009 "on" has no value | write //+kopf:on=<kind> on a function, //+kopf:operator=<name> above the package clause`}},
	{"//+kopf:‸on=,kind=Foo", []string{`KG009 "on" has no value`}},
	{"//+kopf:on=create,‸kind=", []string{`KG009 "kind" has no value | leave the argument out, or give it a value`}},
	{"//+kopf:on=create,‸kind= ,retries=2", []string{`KG009 "kind" has no value`}},
	{"//+kopf:on=create,‸kind", []string{`KG009 "kind" has no value`}},
	{"//+kopf:on=create,‸kind Foo", []string{`KG009 "kind" has no value | write kind=Foo`}},
	{"//+kopf:on=create,‸kind:Foo", []string{`KG009 "kind:Foo" has no value | write kind=Foo`}},
	{"//+kopf:on=delete,‸optional", []string{`KG009 "optional" has no value | write optional=true`}},
	{"//+kopf:on=create,‸update", []string{`KG009 "update" has no value | kinds are separated by semicolons: on=…;update`}},
	{"//+kopf:on=create,‸timeuot", []string{`KG009 "timeuot" has no value | did you mean "timeout"?`}},
	{`//+kopf:on=create,id=‸""`, []string{`KG009 "id" is empty | leave the argument out, or give it a value`}},
	{`//+kopf:on=create,labels=‸" "`, []string{`KG009 "labels" is empty`}},

	// Kinds.
	{"//+kopf:on=‸craete;‸dlete,optional=true", []string{`KG012 unknown kind "craete" | did you mean "create"?`, `KG012 unknown kind "dlete" | did you mean "delete"?`}},
	{"//+kopf:on=‸Create", []string{`KG012 unknown kind "Create" | did you mean "create"?`}},
	{"//+kopf:on=‸{create,update},retries=‸0", []string{"KG018 braces around a list | lists are written a;b", "KG019 retries=0 would allow no attempt at all"}},
	{"//+kopf:on=create;‸create", []string{"KG011 kind create is given twice"}},
	{"//+kopf:on=startup;‸create", []string{"KG013 startup and create cannot share a marker | write a second marker: +kopf:on=create"}},
	{"//+kopf:on=create;‸startup,kind=Foo", []string{"KG013 create and startup cannot share a marker"}},
	{"//+kopf:on=startup;‸cleanup", []string{"KG013 startup and cleanup cannot share a marker"}},

	// Arguments that do not apply.
	{"//+kopf:on=startup,‸kind=Foo,‸field=x", []string{`KG014 "kind" does not apply to startup | it is for handlers of objects`, `KG014 "field" does not apply to startup`}},
	{"//+kopf:on=create,‸interval=5s", []string{`KG014 "interval" does not apply to create | it applies to timer or background`}},
	{"//+kopf:on=create,‸optional=true", []string{`KG014 "optional" does not apply to create | it applies to delete`}},
	{"//+kopf:on=create,‸deleted=true", []string{`KG014 "deleted" does not apply to create | it applies to resume`}},
	{"//+kopf:on=create;update,field=a,‸old=1", []string{`KG014 "old" does not apply to create | give create a marker of its own`}},
	{"//+kopf:on=cleanup,‸when=fn", []string{`KG014 "when" does not apply to cleanup`}},
	{"//+kopf:on=login,‸interval=1h", []string{`KG014 "interval" does not apply to login | it applies to timer or background`}},
	{"//+kopf:on=probe,‸labels=\"a=b\"", []string{`KG014 "labels" does not apply to probe | it is for handlers of objects`}},
	{"//+kopf:on=background;‸probe", []string{"KG013 background and probe cannot share a marker | write a second marker: +kopf:on=probe"}},
	{"//+kopf:on=timer,‸optional=true", []string{`KG014 "optional" does not apply to timer | it applies to delete`}},
	{"//+kopf:on=event,‸timeout=1m,‸errors=ignored", []string{
		`KG014 "timeout" does not apply to event | an event is handled again for as long as no newer one comes: limit it with retries=`,
		`KG014 "errors" does not apply to event | an event whose handler fails is dropped, or handled again with retries= or backoff=`,
	}},
	{"//+kopf:on=event,field=a,‸old=1,‸new=2", []string{
		`KG014 "old" does not apply to event | only a change has an old and a new state: test the field as it is with value=, or react to changes with on=field`,
		`KG014 "new" does not apply to event`,
	}},
	{"//+kopf:on=daemon,‸interval=5s,‸idle=1m,‸sharp=true", []string{
		`KG014 "interval" does not apply to daemon | a daemon runs on by itself; for calls that repeat use on=timer`,
		`KG014 "idle" does not apply to daemon`, `KG014 "sharp" does not apply to daemon`,
	}},
	{"//+kopf:on=timer,interval=5s,‸cancellationTimeout=5s,‸cancellationBackoff=1s,‸cancellationPolling=1s", []string{
		`KG014 "cancellationTimeout" does not apply to timer | a timer ends after the call that it is in; for work that has to be interrupted use on=daemon`,
		`KG014 "cancellationBackoff" does not apply to timer`, `KG014 "cancellationPolling" does not apply to timer`,
	}},
	{"//+kopf:on=index,‸result=none,‸interval=5s", []string{
		`KG014 "result" does not apply to index | what the function returns is what the index holds`,
		`KG014 "interval" does not apply to index | the function is called when the object changes`,
	}},
	{"//+kopf:on=index,‸initialDelay=5s", []string{`KG014 "initialDelay" does not apply to index | it applies to timer, daemon or background`}},
	{"//+kopf:on=startup,‸result=none", []string{`KG014 "result" does not apply to startup | it is for handlers of objects`}},
	{"//+kopf:on=cleanup,‸idle=5s", []string{`KG014 "idle" does not apply to cleanup | it applies to timer`}},

	// Kinds that stand alone.
	{"//+kopf:on=create;‸event", []string{"KG013 create and event cannot share a marker | write a second marker: +kopf:on=event"}},
	{"//+kopf:on=daemon;‸timer", []string{"KG013 daemon and timer cannot share a marker"}},
	{"//+kopf:on=index;‸event,result=none", []string{"KG013 index and event cannot share a marker"}},

	// Times of daemons and timers.
	{"//+kopf:on=timer,‸sharp=true", []string{`KG016 "sharp" needs the argument "interval" | add interval=<duration>, or leave sharp= out`}},
	{"//+kopf:on=timer,idle=5m,‸sharp=true", []string{`KG016 "sharp" needs the argument "interval"`}},
	{"//+kopf:on=timer,interval=‸5,sharp=true", []string{`KG020 "5" is not a duration | it needs a unit: 5s, 5m or 5h`}},
	{"//+kopf:on=timer,interval=‸0s,idle=‸0s", []string{
		`KG019 "interval" must be above zero`, `KG019 "idle" must be above zero`,
	}},
	{"//+kopf:on=timer,interval=‸none,initialDelay=‸none", []string{
		`KG018 "interval" takes a duration or a Go identifier | leave the argument out`, `KG018 "initialDelay" takes a duration or a Go identifier`,
	}},
	{"//+kopf:on=timer,interval=‸-5s,initialDelay=‸-1s", []string{`KG019 "interval" cannot be negative`, `KG019 "initialDelay" cannot be negative`}},
	{`//+kopf:on=timer,interval=‸"5s"`, []string{`KG018 "interval" takes a duration or a Go identifier, not a quoted string | write interval=5s`}},
	{"//+kopf:on=timer,interval=‸1s..5m", []string{`KG020 "1s..5m" is not a duration`}},
	{"//+kopf:on=timer,‸initial_delay=5s", []string{`KG010 unknown argument "initial_delay" | did you mean "initialDelay"?`}},
	{"//+kopf:on=timer,interval=5s,sharp=‸yes", []string{`KG018 "sharp" takes true or false, not "yes"`}},
	{"//+kopf:on=timer,interval=5s,‸sharp", []string{`KG009 "sharp" has no value | write sharp=true`}},
	{"//+kopf:on=daemon,cancellationTimeout=10s,‸cancellationPolling=1m", []string{
		`KG017 "cancellationPolling" and "cancellationTimeout" exclude each other | keep one of them: a daemon that has a timeout is abandoned after it, and not looked at again`,
	}},
	{"//+kopf:on=daemon,cancellationBackoff=‸0s,cancellationPolling=‸0s", []string{
		`KG019 "cancellationBackoff" must be above zero`, `KG019 "cancellationPolling" must be above zero`,
	}},

	// Not yet.
	{"//+kopf:on=‸validate,operations=create", []string{"KG015 handlers of kind validate are not supported yet"}},
	{"//+kopf:on=‸mutate", []string{"KG015 handlers of kind mutate are not supported yet"}},
	{`//+kopf:on=delete,‸failed=f,‸lock=f,‸last=true,‸only="a=b",‸category=all,‸resource=foos`, []string{
		`KG015 "failed" is not supported yet`, `KG015 "lock" is not supported yet`, `KG015 "last" is not supported yet`,
		`KG015 "only" is not supported yet`, `KG015 "category" is not supported yet`, `KG015 "resource" is not supported yet`,
	}},
	{"//+kopf:on=field,field=a,‸for=owner", []string{`KG015 "for" is not supported yet`}},
	{"//+kopf:on=create,labels=‸fn", []string{`KG015 functions for "labels" are not supported yet | if it is a label's name, quote it: labels="fn"`}},
	{"//+kopf:on=create,annotations=‸pkg.Fn,kind=Foo", []string{`KG015 functions for "annotations" are not supported yet`}},

	// Values of the wrong type.
	{`//+kopf:on=create,retries=‸"3"`, []string{`KG018 "retries" takes a whole number, none or a Go identifier, not a quoted string | write retries=3`}},
	{"//+kopf:on=create,retries=‸3x", []string{`KG018 "retries" takes a whole number, none or a Go identifier, not "3x"`}},
	{"//+kopf:on=create,retries=‸1.5", []string{`KG018 "retries" takes a whole number, none or a Go identifier, not "1.5"`}},
	{"//+kopf:on=create,retries=‸010", []string{`KG018 "retries" takes a whole number, none or a Go identifier, not "010"`}},
	{"//+kopf:on=create,retries=‸a.b.c", []string{`KG018 "retries" takes a whole number, none or a Go identifier, not "a.b.c"`}},
	{"//+kopf:on=create,backoff=‸none", []string{`KG018 "backoff" takes a duration, a range such as 1s..5m or a Go identifier | write backoff=0s to try again at once`}},
	{"//+kopf:on=delete,optional=‸yes", []string{`KG018 "optional" takes true or false, not "yes"`}},
	{"//+kopf:on=delete,optional=‸True", []string{`KG018 "optional" takes true or false, not "True" | did you mean "true"?`}},
	{`//+kopf:on=delete,optional=‸"true"`, []string{`KG018 "optional" takes true or false, not a quoted string | write optional=true`}},
	{"//+kopf:on=create,errors=‸TEMPORARY", []string{`KG018 "errors" takes temporary, permanent or ignored, not "TEMPORARY" | did you mean "temporary"?`}},
	{"//+kopf:on=create,when=‸big()", []string{`KG018 "when" takes the name of a Go function, not "big()" | write when=big`}},
	{"//+kopf:on=create,when=‸!big", []string{`KG018 "when" takes the name of a Go function, not "!big"`}},
	{"//+kopf:on=create,when=‸func", []string{`KG018 "when" takes the name of a Go function, not "func"`}},
	{`//+kopf:on=create,when=‸"spec.n > 1"`, []string{`KG018 "when" takes the name of a Go function, not a quoted string`}},

	// Numbers and times.
	{"//+kopf:on=create,retries=‸0,timeout=‸0s", []string{
		"KG019 retries=0 would allow no attempt at all | leave it out for no limit; none lifts a default of the operator",
		"KG019 timeout=0s would allow no attempt at all",
	}},
	{"//+kopf:on=create,retries=‸-1,timeout=‸-5s,backoff=‸-1s", []string{
		`KG019 "retries" cannot be negative`, `KG019 "timeout" cannot be negative`, `KG019 "backoff" cannot be negative`,
	}},
	{"//+kopf:on=create,retries=‸99999999999999999999", []string{`KG019 "retries" is too large`}},
	{"//+kopf:on=create,backoff=5m..‸1s", []string{"KG019 the range ends with 1s, which is not more than 5m"}},
	{"//+kopf:on=create,backoff=1s..‸1s", []string{"KG019 the range ends with 1s, which is not more than 1s"}},
	{"//+kopf:on=create,backoff=‸0s..1s", []string{"KG019 a range cannot begin with 0 | begin with a short delay, such as 100ms..1s"}},
	{"//+kopf:on=create,backoff=1s..‸", []string{"KG020 a range needs two durations, such as 1s..5m"}},
	{"//+kopf:on=create,backoff=‸..1s", []string{"KG020 a range needs two durations, such as 1s..5m"}},
	{"//+kopf:on=create,backoff=‸1..‸max", []string{`KG020 "1" is not a duration`, "KG020 a range needs two durations, such as 1s..5m"}},
	{"//+kopf:on=create,timeout=‸30", []string{`KG020 "30" is not a duration | it needs a unit: 30s, 30m or 30h`}},
	{"//+kopf:on=create,timeout=‸7d", []string{`KG020 "7d" is not a duration | there is no unit for days: write 168h`}},
	{"//+kopf:on=create,timeout=‸5sec", []string{`KG020 "5sec" is not a duration | durations are written as 500ms, 30s, 5m or 1h30m`}},
	{"//+kopf:on=create,timeout=‸9999999999h", []string{`KG020 "9999999999h" is not a duration`}},
	{`//+kopf:on=create,timeout=‸"5m"`, []string{`KG018 "timeout" takes a duration, none or a Go identifier, not a quoted string | write timeout=5m`}},

	// Selectors.
	{"//+kopf:on=create,labels=‸tier in (web,api),kind=Foo,retries=‸0", []string{`KG022 a selector needs quotes | write labels="tier in (web,api)"`, "KG019 retries=0 would allow no attempt at all"}},
	{"//+kopf:on=create,labels=‸tier=web,zone=a", []string{`KG022 a selector needs quotes | write labels="tier=web,zone=a"`}},
	{"//+kopf:on=create,labels=‸!tier", []string{`KG022 a selector needs quotes | write labels="!tier"`}},
	{"//+kopf:on=create,labels=‸{a: b, c: d},kind=Foo", []string{`KG022 a selector needs quotes | write labels="a=b,c=d"`}},
	{`//+kopf:on=create,labels="a==b,‸x in (a,b,y"`, []string{"KG021 bad selector: found '', expected: ',' or ')' | requirements are written as a=b, a!=b, a in (b,c), a notin (b,c), a, !a"}},
	{`//+kopf:on=create,labels="a=b,‸,c, ‸=d"`, []string{`KG021 empty requirement in the selector of "labels"`, "KG021 bad selector: found '=', expected: !, identifier, or 'end of string'"}},
	{`//+kopf:on=create,labels="\u0061=b,‸c=ü"`, []string{
		`KG021 bad selector: values[0][c]: Invalid value: "ü": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', ` +
			`and must start and end with an alphanumeric character`,
	}},
	{`//+kopf:on=create,labels="‸a=web-*"`, []string{
		`KG021 bad selector: values[0][a]: Invalid value: "web-*": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', ` +
			`and must start and end with an alphanumeric character | selectors have no wildcards; use when= for more`,
	}},

	// Fields and tests of fields.
	{"//+kopf:on=‸field", []string{`KG016 kind field needs the argument "field" | add field=<path>, as in field=spec.size`}},
	{"//+kopf:on=update,‸value=3", []string{`KG016 "value" needs the argument "field" | add field=<path>`}},
	{"//+kopf:on=update,‸old=3,‸new=4", []string{`KG016 "old" needs the argument "field"`, `KG016 "new" needs the argument "field"`}},
	{"//+kopf:on=update,field=a,value=3,‸old=!,‸new=*", []string{`KG017 "old" and "value" exclude each other | keep one of them`, `KG017 "new" and "value" exclude each other`}},
	{"//+kopf:on=update,field=‸.spec.size", []string{"KG023 a path begins with a name | begin with the name, as in spec.size"}},
	{"//+kopf:on=update,field=‸$.spec.size", []string{"KG023 unexpected '$' in a field name | write JSON names with dots between, as in spec.size"}},
	{"//+kopf:on=update,field=spec.‸.size", []string{"KG023 a name is missing after the dot"}},
	{"//+kopf:on=update,field=spec.‸", []string{"KG023 a name is missing after the dot"}},
	{"//+kopf:on=update,field=spec.items‸[0].x", []string{"KG023 elements of a list cannot be watched | watch the list as a whole"}},
	{"//+kopf:on=update,field=spec.a[‸x]", []string{`KG023 a key in brackets needs quotes | write ["key"]`}},
	{`//+kopf:on=update,field=spec.a["x"‸`, []string{"KG023 a closing bracket is missing"}},
	{`//+kopf:on=update,field=spec["a"]‸b`, []string{"KG023 a dot or a bracket is missing"}},
	{`//+kopf:on=update,field=spec[‸""]`, []string{"KG023 the key is empty"}},
	{"//+kopf:on=update,field=`spec[\"a‸\\q\"].b`", []string{"KG023 unknown escape in a quoted key"}},
	{"//+kopf:on=update,field=`spec[‸\"a].b`", []string{"KG023 the quote is never closed"}},
	{`//+kopf:on=update,field="spec.‸ä"`, []string{`KG023 unexpected 'ä' in a field name | other keys stand in brackets and quotes: spec["…"]`}},
	{"//+kopf:on=update,field=metadata.annotations.demo.kopf.dev‸/owner", []string{`KG023 unexpected '/' in a field name | write metadata.annotations["demo.kopf.dev/owner"]`}},
	{"//+kopf:on=field,field=[‸,value=3", []string{`KG023 a key in brackets needs quotes`}},
	{"//+kopf:on=update,field=a,value=‸web-1", []string{`KG024 web-1 is not a literal, *, ! or the name of a function | if it is a string, quote it: value="web-1"`}},
	{"//+kopf:on=update,field=a,value=‸!x", []string{"KG024 !x is not a literal, *, ! or the name of a function"}},
	{"//+kopf:on=update,field=a,old=‸null", []string{`KG024 "old" cannot be null | write old=! for an absent field`}},
	{"//+kopf:on=update,field=a,value=‸0x10", []string{"KG024 0x10 is not a literal, *, ! or the name of a function"}},

	// Names.
	{"//+kopf:on=create,version=‸V1,kind=‸foo-,group=‸Foo", []string{
		`KG025 "version" cannot be "V1" | a version looks like v1 or v1beta1`, `KG025 "kind" cannot be "foo-" | a kind is a word of letters and digits, such as Greeter`,
		`KG025 "group" cannot be "Foo" | it must be a DNS name, such as demo.kopf.dev`,
	}},
	{`//+kopf:on=create,name="a‸/b",namespace=‸[x`, []string{
		`KG025 "name" cannot contain "/" | a name or a pattern with * ? [a-z]; use when= for more`, `KG025 "[x" is not a valid pattern | wildcards are * ? [a-z]`,
	}},
	{`//+kopf:on=create,id=‸"a b"`, []string{`KG025 "id" cannot be "a b" | an id becomes part of an annotation's name: letters, digits and - _ . /, beginning with a letter or digit`}},
}

// wrongOperators stand above the package clause.
var wrongOperators = []mistake{
	{"//+kopf:‸operater=x", []string{"KG002 unknown marker +kopf:operater | write //+kopf:operator=x"}},
	{"//+kopf‸.operator=x,‸retry=4", []string{"KG001 a colon separates kopf from the marker's name", `KG010 unknown argument "retry" | did you mean "retries"?`}},
	{"//+kopf:‸operator", []string{"KG009 +kopf:operator has no value"}},
	{"//+kopf:operator=‸Greeter_x,prefix=‸Foo/x,finalizer=‸\"a b/c\",retries=‸0,ids=‸snake", []string{
		`KG025 "operator" cannot be "Greeter_x" | use lower case letters, digits and hyphens, as in pet-clinic`,
		`KG025 "prefix" cannot be "Foo/x" | it must be a DNS name, such as demo.kopf.dev`,
		`KG025 "finalizer" cannot be "a b/c" | a finalizer is a domain and a name, such as demo.kopf.dev/greeter`,
		`KG019 retries=0 would allow no attempt at all`, `KG018 "ids" takes go or snake_case, not "snake" | did you mean "snake_case"?`,
	}},
	{"//+kopf:operator=x,‸storage=a,‸only=\"a=b\",‸classify=fn", []string{
		`KG015 "storage" is not supported yet`, `KG015 "only" is not supported yet`, `KG015 "classify" is not supported yet`,
	}},
	{"//+kopf:operator=x,‸kind=Foo", []string{`KG010 unknown argument "kind" | it is an argument of +kopf:on`}},
	{"//+kopf:operator=x,packages=./a‸;,ids=go", []string{"KG007 one semicolon too many"}},
	{`//+kopf:operator=x,packages=./a;‸""`, []string{`KG009 "packages" is empty`}},
	{"//‸+kopf:on=create", []string{"KG003 +kopf:on stands above the package clause | it belongs on the function that handles the event"}},
}

func onFunction(m mistake) mistake {
	return mistake{"package p\n\n" + m.source + "\nfunc F() {}\n", m.want}
}

func onPackage(m mistake) mistake {
	return mistake{m.source + "\npackage p\n", m.want}
}

// allMistakes is every mistake of the tables, as whole files by a name.
func allMistakes() map[string]mistake {
	all := map[string]mistake{}
	for _, m := range append(append([]mistake{}, wrongHeads...), wrongArguments...) {
		all[m.source] = onFunction(m)
	}
	for _, m := range wrongOperators {
		all["package/"+m.source] = onPackage(m)
	}
	for name, m := range wrongPlaces {
		all["place/"+name] = m
	}
	return all
}

func TestMistakes(t *testing.T) {
	for name, m := range allMistakes() {
		t.Run(name, func(t *testing.T) {
			source, positions := carets(m.source)
			if len(positions) != len(m.want) {
				t.Fatalf("the test has %d carets and %d diagnostics", len(positions), len(m.want))
			}
			_, found := collect(t, source)
			var want, got []string
			for i, w := range m.want {
				want = append(want, positions[i]+": "+w)
			}
			for i, d := range found {
				s := fmt.Sprintf("%d:%d: %s %s", d.Pos.Line, d.Pos.Column, d.Code, d.Message)
				if i < len(m.want) && strings.Contains(m.want[i], " | ") {
					s += " | " + d.Hint
				}
				got = append(got, s)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestEveryCodeIsDocumentedAndReported keeps the table of codes and the mistakes together.
func TestEveryCodeIsDocumentedAndReported(t *testing.T) {
	if err := diagnostic.Check(markers.Codes); err != nil {
		t.Error(err)
	}
	reported := map[string]bool{}
	for _, m := range allMistakes() {
		for _, w := range m.want {
			code, _, _ := strings.Cut(w, " ")
			reported[code] = true
			if !slices.ContainsFunc(markers.Codes, func(c diagnostic.Code) bool { return c.ID == code }) {
				t.Errorf("%s is reported and not documented", code)
			}
		}
	}
	for _, c := range markers.Codes {
		if !reported[c.ID] {
			t.Errorf("%s is documented and no test reports it", c.ID)
		}
		if c.ID < "KG001" || c.ID > "KG039" {
			t.Errorf("%s is not of this package's range", c.ID)
		}
	}
}

// TestFaultyMarkersSaySo: whoever reads a marker further must know that a mistake was reported.
func TestFaultyMarkersSaySo(t *testing.T) {
	for name, m := range allMistakes() {
		source, _ := carets(m.source)
		found, _ := collect(t, source)
		for _, f := range found.Functions {
			for _, h := range f.Handlers {
				if !h.Faulty && !strings.HasPrefix(name, "place/") {
					t.Errorf("%s: not faulty", name)
				}
				if len(h.On) == 0 && !h.Faulty {
					t.Errorf("%s: no kinds, yet not faulty", name)
				}
			}
		}
	}
}

// collect parses a file and collects its markers.
func collect(t *testing.T, source string) (markers.File, []diagnostic.Diagnostic) {
	t.Helper()
	fset, file := parse(t, source)
	var diags diagnostic.List
	return markers.Collect(fset, file, &diags), diags.Sorted()
}

func parse(t *testing.T, source string) (*token.FileSet, *ast.File) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "h.go", source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return fset, file
}

// carets removes the carets from source and returns their places as "line:column".
func carets(source string) (string, []string) {
	var clean strings.Builder
	var at []string
	for i, part := range strings.Split(source, caret) {
		if i > 0 {
			before := clean.String()
			at = append(at, fmt.Sprintf("%d:%d", 1+strings.Count(before, "\n"), len(before)-strings.LastIndex(before, "\n")))
		}
		clean.WriteString(part)
	}
	return clean.String(), at
}
