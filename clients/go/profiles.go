package exitcodes

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"sort"
	"strings"
)

// BuiltInProfiles are those of the contract: kubeflow, signals, cloudml, all-permanent and
// all-retryable.
func BuiltInProfiles() []Table {
	signals := DefaultTable()
	signals.Profile = "signals"
	signals.Permanent = between(1, 127)
	signals.Retryable = between(128, 255)
	signals.Undefined = Retryable

	cloudml := DefaultTable()
	cloudml.Profile = "cloudml"
	cloudml.Permanent = Codes{}
	cloudml.Retryable = codesOf(130, 137, 143)

	allPermanent := DefaultTable()
	allPermanent.Profile = "all-permanent"
	allPermanent.Permanent, allPermanent.Retryable = Codes{}, Codes{}
	allPermanent.Disruption, allPermanent.NoExitCode = Permanent, Permanent

	allRetryable := DefaultTable()
	allRetryable.Profile = "all-retryable"
	allRetryable.Undefined = Retryable

	return []Table{DefaultTable(), signals, cloudml, allPermanent, allRetryable}
}

// Profile is a profile of an administrator's own: another one, and what differs from it. It unmarshals
// from an entry of profiles in the webhook's configuration, as JSON.
type Profile struct {
	// Extends names a profile; empty for kubeflow.
	Extends string `json:"extends"`
	// Permanent and Retryable move codes to their side, Remove makes codes undefined.
	Permanent CodeList `json:"permanent"`
	Retryable CodeList `json:"retryable"`
	Remove    CodeList `json:"remove"`
	// Reasons are merged with those of the profile extended; nil deletes one.
	Reasons map[string]*Verdict `json:"reasons"`
	// The rest overrides what the profile extended has; empty and nil do not.
	Undefined  Verdict `json:"undefined"`
	Disruption Verdict `json:"disruption"`
	NoExitCode Verdict `json:"noExitCode"`
	MaxRetries *int32  `json:"maxRetries"`
}

// CodeList is a set of codes that the configuration gives as a string, "42, SIGUSR2", or as an array
// of items, [42, "SIGUSR2"].
type CodeList struct{ Codes }

// UnmarshalJSON reads either form.
func (l *CodeList) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		codes, err := ParseCodes(text)
		l.Codes = codes
		return err
	}
	var items []json.RawMessage
	if err := json.Unmarshal(data, &items); err != nil {
		return errors.New("a list of codes must be a string or an array")
	}
	for _, raw := range items {
		item := string(raw)
		if strings.HasPrefix(item, `"`) {
			if err := json.Unmarshal(raw, &item); err != nil {
				return err
			}
		}
		codes, err := parseItem(strings.Trim(item, blanks))
		if err != nil {
			return err
		}
		l.Codes = l.Union(codes)
	}
	return nil
}

// Profiles is a set of named tables: the built-in ones and those of an administrator. Immutable.
type Profiles struct {
	tables map[string]Table
}

var profileName = regexp.MustCompile(`^[a-z0-9]([-.a-z0-9]{0,61}[a-z0-9])?$`)

// NewProfiles resolves definitions (nil for none), by name, and adds the built-in profiles.
func NewProfiles(definitions map[string]Profile) (Profiles, error) {
	profiles := Profiles{tables: map[string]Table{}}
	for _, table := range BuiltInProfiles() {
		profiles.tables[table.Profile] = table
	}
	for name := range definitions {
		if _, builtIn := profiles.tables[name]; builtIn {
			return Profiles{}, fmt.Errorf("profile %q is built in and cannot be redefined", name)
		}
		if !profileName.MatchString(name) {
			return Profiles{}, fmt.Errorf("%.70q is no profile name: write 1 to 63 lower-case letters, digits, '-' "+
				"and '.', with a letter or digit at both ends", name)
		}
	}
	for name := range definitions {
		if err := profiles.resolve(name, definitions); err != nil {
			return Profiles{}, err
		}
	}
	return profiles, nil
}

// resolve makes the table of the definition called name and of those below it.
func (p Profiles) resolve(name string, definitions map[string]Profile) error {
	var chain []string
	onChain := map[string]bool{}
	for at := name; ; at = definitions[at].base() {
		if _, known := p.tables[at]; known {
			break
		}
		if _, exists := definitions[at]; !exists {
			return fmt.Errorf("profile %q extends %q, which does not exist", chain[len(chain)-1], at)
		}
		if onChain[at] {
			return fmt.Errorf("profile %q extends itself, perhaps through others", at)
		}
		onChain[at] = true
		chain = append(chain, at)
	}
	for i := len(chain) - 1; i >= 0; i-- {
		definition := definitions[chain[i]]
		table, err := definition.extend(p.tables[definition.base()], chain[i])
		if err != nil {
			return fmt.Errorf("profile %q: %w", chain[i], err)
		}
		p.tables[chain[i]] = table
	}
	return nil
}

func (d Profile) base() string {
	if d.Extends == "" {
		return DefaultTable().Profile
	}
	return d.Extends
}

func (d Profile) extend(base Table, name string) (Table, error) {
	sides := []Codes{d.Retryable.Codes, d.Permanent.Codes, d.Remove.Codes}
	for i, side := range sides {
		if both := side.Intersection(sides[(i+1)%len(sides)]); both.Len() > 0 {
			return Table{}, fmt.Errorf("%d is in two of retryable, permanent and remove: keep it in one", both.Values()[0])
		}
	}
	table := Inputs{Retryable: d.Retryable.Codes, Permanent: d.Permanent.Codes, MaxRetries: d.MaxRetries}.apply(base)
	table.Profile = name
	table.Permanent = table.Permanent.Without(d.Remove.Codes)
	table.Retryable = table.Retryable.Without(d.Remove.Codes)
	table.Reasons = map[string]Verdict{}
	for reason, verdict := range base.Reasons {
		table.Reasons[reason] = verdict
	}
	for reason, verdict := range d.Reasons {
		if verdict == nil {
			delete(table.Reasons, reason)
		} else {
			table.Reasons[reason] = *verdict
		}
	}
	for _, override := range []struct {
		target *Verdict
		value  Verdict
	}{{&table.Undefined, d.Undefined}, {&table.Disruption, d.Disruption}, {&table.NoExitCode, d.NoExitCode}} {
		if override.value != "" {
			*override.target = override.value
		}
	}
	return table, table.Validate()
}

// Find gives the table of that name.
func (p Profiles) Find(name string) (Table, bool) {
	table, found := p.tables[name]
	return table, found
}

// Names are all names, in alphabetical order.
func (p Profiles) Names() []string {
	names := make([]string, 0, len(p.tables))
	for name := range p.tables {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
