import { lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** What the registry of special addresses (RFC 6890) says that no public network routes to, and multicast. */
const privateBlocks = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const

/** The first and the last four carry addresses of version 4 inside themselves: whichever they are. */
const privateBlocks6 = [
  ['::', 96],
  ['100::', 64],
  ['2001:db8::', 32],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
] as const

const privateAddresses = new BlockList()
for (const [address, bits] of privateBlocks) privateAddresses.addSubnet(address, bits, 'ipv4')
for (const [address, bits] of privateBlocks6) privateAddresses.addSubnet(address, bits, 'ipv6')

/**
 * Loopback, link-local (cloud metadata services), private networks, those of documentation and benchmarks, multicast; IPv4
 * inside IPv6 too.
 */
export function isPrivateAddress(address: string): boolean {
  const plain = address.replace(/%.*$/, '')
  const version = isIP(plain)
  return version !== 0 && privateAddresses.check(plain, version === 6 ? 'ipv6' : 'ipv4')
}

export const refusedAddressCode = 'ERR_PRIVATE_ADDRESS'

class RefusedAddress extends Error {
  readonly code = refusedAddressCode
}

/**
 * Resolves a name when a connection is opened and leaves private addresses out: what is checked is what is connected
 * to, so a name that changes its mind (DNS rebinding) gains nothing.
 */
export const lookupPublic: LookupFunction = (hostname, options, answer) => {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return answer(error, [])
    const allowed = found.filter(({ address }) => !isPrivateAddress(address))
    const [first] = allowed
    if (!first) return answer(new RefusedAddress('the host has a private address only'), [])
    if (options.all) answer(null, allowed)
    else answer(null, first.address, first.family)
  })
}
