package exitcodes

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// Encode gives the canonical value of TableAnnotation: fixed key order, codes ascending, no spaces.
// The same table gives the same bytes, in every language. An error if t.Validate has one.
func Encode(t Table) (string, error) {
	if err := t.Validate(); err != nil {
		return "", err
	}
	var out strings.Builder
	out.WriteString(`{"version":` + strconv.Itoa(tableVersion) + `,"profile":`)
	writeString(&out, t.Profile)
	out.WriteString(`,"permanent":`)
	writeCodes(&out, t.Permanent)
	out.WriteString(`,"retryable":`)
	writeCodes(&out, t.Retryable)
	out.WriteString(`,"undefined":"` + string(t.Undefined) + `","reasons":{`)
	reasons := make([]string, 0, len(t.Reasons))
	for reason := range t.Reasons {
		reasons = append(reasons, reason)
	}
	sort.Strings(reasons)
	for i, reason := range reasons {
		if i > 0 {
			out.WriteByte(',')
		}
		writeString(&out, reason)
		out.WriteString(`:"` + string(t.Reasons[reason]) + `"`)
	}
	out.WriteString(`},"disruption":"` + string(t.Disruption) + `","noExitCode":"` + string(t.NoExitCode) + `"`)
	if t.MaxRetries != nil {
		out.WriteString(`,"maxRetries":` + strconv.Itoa(int(*t.MaxRetries)))
	}
	out.WriteByte('}')
	return out.String(), nil
}

func writeCodes(out *strings.Builder, codes Codes) {
	out.WriteByte('[')
	for i, code := range codes.Values() {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString(strconv.Itoa(code))
	}
	out.WriteByte(']')
}

// writeString escapes as little as JSON allows; encoding/json also escapes what HTML minds, and
// differently from version to version.
func writeString(out *strings.Builder, text string) {
	out.WriteByte('"')
	for _, r := range text { // what is not UTF-8 becomes U+FFFD
		switch {
		case r == '"' || r == '\\':
			out.WriteByte('\\')
			out.WriteRune(r)
		case r >= ' ':
			out.WriteRune(r)
		case strings.ContainsRune("\b\f\n\r\t", r):
			out.WriteString(map[rune]string{'\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`}[r])
		default:
			fmt.Fprintf(out, `\u%04x`, r)
		}
	}
	out.WriteByte('"')
}
