package exitcodes

import (
	"fmt"
	"math/bits"
)

// The exit codes that a table can list. 0 is success.
const (
	MinCode = 1
	MaxCode = 255
)

// Codes is a set of exit codes from 1 to 255. The zero value is the empty set; sets are values that
// can be compared by ==.
type Codes struct {
	words [4]uint64
}

// NewCodes gives the set of the codes listed; an error if one is not from 1 to 255.
func NewCodes(codes ...int) (Codes, error) {
	var set Codes
	for _, code := range codes {
		if code < MinCode || code > MaxCode {
			return Codes{}, fmt.Errorf("%d is not an exit code from 1 to 255", code)
		}
		set.add(code)
	}
	return set, nil
}

// add takes codes from MinCode to MaxCode only.
func (c *Codes) add(code int) {
	c.words[code/64] |= 1 << (code % 64)
}

// between is the set of all codes from first to last, both from MinCode to MaxCode.
func between(first, last int) Codes {
	var set Codes
	for code := first; code <= last; code++ {
		set.add(code)
	}
	return set
}

func codesOf(codes ...int) Codes {
	var set Codes
	for _, code := range codes {
		set.add(code)
	}
	return set
}

// Contains is false for every number outside 1 to 255.
func (c Codes) Contains(code int64) bool {
	return code >= MinCode && code <= MaxCode && c.words[code/64]&(1<<(code%64)) != 0
}

// Values are the codes in ascending order; never nil.
func (c Codes) Values() []int {
	values := make([]int, 0, c.Len())
	for code := MinCode; code <= MaxCode; code++ {
		if c.Contains(int64(code)) {
			values = append(values, code)
		}
	}
	return values
}

// Len is how many codes there are.
func (c Codes) Len() int {
	count := 0
	for _, word := range c.words {
		count += bits.OnesCount64(word)
	}
	return count
}

// Union holds the codes of both sets.
func (c Codes) Union(other Codes) Codes {
	for i := range c.words {
		c.words[i] |= other.words[i]
	}
	return c
}

// Without holds the codes that other does not.
func (c Codes) Without(other Codes) Codes {
	for i := range c.words {
		c.words[i] &^= other.words[i]
	}
	return c
}

// Intersection holds the codes that are in both sets.
func (c Codes) Intersection(other Codes) Codes {
	return c.Without(c.Without(other))
}
