package main

import (
	"math/big"
	"net/netip"
	"slices"
)

// span is a run of addresses, both ends included. IPv6 counts from 0, IPv4 from 2^128, so that one
// line holds both.
type span struct{ first, last *big.Int }

var (
	one  = big.NewInt(1)
	four = new(big.Int).Lsh(one, 128)
)

// IPv6 blocks that stand for IPv4 ones: mapped addresses (RFC 4291), the well-known prefix of
// translators (RFC 6052), 6to4 (RFC 3056). What they let in or out is IPv4.
var embedded = []struct {
	prefix netip.Prefix
	shift  uint
}{
	{netip.MustParsePrefix("::ffff:0:0/96"), 0},
	{netip.MustParsePrefix("64:ff9b::/96"), 0},
	{netip.MustParsePrefix("2002::/16"), 80},
}

func spanOf(prefix netip.Prefix) span {
	prefix = prefix.Masked()
	first := new(big.Int).SetBytes(prefix.Addr().AsSlice())
	if prefix.Addr().Is4() {
		first.Add(first, four)
	}
	size := new(big.Int).Lsh(one, uint(prefix.Addr().BitLen()-prefix.Bits()))
	return span{first, size.Add(size, first).Sub(size, one)}
}

// spansOf gives the addresses of a block: its own and, where it holds IPv6 that stands for IPv4, those.
func spansOf(cidr string) ([]span, error) {
	prefix, err := netip.ParsePrefix(cidr)
	if err != nil {
		return nil, err
	}
	whole := spanOf(prefix)
	found := []span{}
	rest := []span{whole}
	for _, each := range embedded {
		of := spanOf(each.prefix)
		if prefix.Addr().Is4() {
			break
		}
		first, last := maxOf(whole.first, of.first), minOf(whole.last, of.last)
		if first.Cmp(last) > 0 {
			continue
		}
		found = append(found, span{inIPv4(first, of.first, each.shift), inIPv4(last, of.first, each.shift)})
		rest = subtract(rest, []span{of})
	}
	return append(found, rest...), nil
}

func inIPv4(address, base *big.Int, shift uint) *big.Int {
	offset := new(big.Int).Sub(address, base)
	return offset.Rsh(offset, shift).Add(offset, four)
}

func maxOf(a, b *big.Int) *big.Int {
	if a.Cmp(b) > 0 {
		return a
	}
	return b
}

func minOf(a, b *big.Int) *big.Int {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

// union gives the same addresses in order, without overlaps or neighbours.
func union(spans []span) []span {
	sorted := slices.Clone(spans)
	slices.SortFunc(sorted, func(a, b span) int { return a.first.Cmp(b.first) })
	var found []span
	for _, each := range sorted {
		if n := len(found); n > 0 && new(big.Int).Add(found[n-1].last, one).Cmp(each.first) >= 0 {
			found[n-1].last = maxOf(found[n-1].last, each.last)
		} else {
			found = append(found, each)
		}
	}
	return found
}

// subtract gives the addresses of the first that are in none of the second.
func subtract(from, without []span) []span {
	left := union(from)
	for _, gone := range union(without) {
		var next []span
		for _, each := range left {
			if gone.last.Cmp(each.first) < 0 || gone.first.Cmp(each.last) > 0 {
				next = append(next, each)
				continue
			}
			if gone.first.Cmp(each.first) > 0 {
				next = append(next, span{each.first, new(big.Int).Sub(gone.first, one)})
			}
			if gone.last.Cmp(each.last) < 0 {
				next = append(next, span{new(big.Int).Add(gone.last, one), each.last})
			}
		}
		left = next
	}
	return left
}

// The most that may be open where a class denies `anywhere` and says no blocks: as many addresses of
// the Internet as the widest block that docs/reference/tenantclass.md lets pass.
var (
	mostOf4 = new(big.Int).Lsh(one, 32-8)
	mostOf6 = new(big.Int).Lsh(one, 128-16)
)

func spansOfAll(cidrs ...string) []span {
	var found []span
	for _, one := range cidrs {
		found = append(found, spanOf(netip.MustParsePrefix(one)))
	}
	return found
}

// What no router of the Internet carries (RFC 1918, RFC 6598), and where hosts of IPv6 have addresses
// of their own (RFC 4291, RFC 4193), but for those that stand for others (RFC 2928, RFC 3056).
var (
	private = spansOfAll("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10")
	hosts   = subtract(spansOfAll("2000::/3", "fc00::/7"), spansOfAll("2001::/23", "2002::/16"))
)

// translator is the prefix of NAT64, whose addresses are those of IPv4 (RFC 6052). Other embedded
// IPv4 is refused here: no host has such an address.
var translator = spanOf(netip.MustParsePrefix("64:ff9b::/96"))

// isAnywhere says whether the addresses, as they are written, are too many to be anyone's in particular.
func isAnywhere(spans []span) bool {
	var of4, of6 []span
	for _, each := range union(spans) {
		switch {
		case each.first.Cmp(four) >= 0:
			of4 = append(of4, each)
		case each.first.Cmp(translator.first) >= 0 && each.last.Cmp(translator.last) <= 0:
			of4 = append(of4, span{inIPv4(each.first, translator.first, 0), inIPv4(each.last, translator.first, 0)})
		default:
			of6 = append(of6, each)
		}
	}
	return sizeOf(subtract(of4, private)).Cmp(mostOf4) > 0 ||
		sizeOf(of6).Cmp(mostOf6) > 0 || len(subtract(of6, hosts)) > 0
}

func sizeOf(spans []span) *big.Int {
	sum := new(big.Int)
	for _, each := range union(spans) {
		sum.Add(sum, each.last).Sub(sum, each.first).Add(sum, one)
	}
	return sum
}
