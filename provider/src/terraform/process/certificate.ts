import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { bits, der, integer, objectId, octets, sequence, set, tagged, time, utf8 } from './der.ts'

export interface Certificate {
  readonly certificateDer: Buffer
  readonly certificatePem: string
  readonly keyPem: string
}

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'
const COMMON_NAME = '2.5.4.3'
const KEY_USAGE = '2.5.29.15'
const EXTENDED_KEY_USAGE = '2.5.29.37'
const SUBJECT_ALTERNATIVE_NAME = '2.5.29.17'
const SERVER_AUTHENTICATION = '1.3.6.1.5.5.7.3.1'
const CLIENT_AUTHENTICATION = '1.3.6.1.5.5.7.3.2'
const DIGITAL_SIGNATURE = Buffer.from([0x80])

const DAY = 86_400_000

/**
 * A key on the curve P-256 and a certificate that it signed for itself, for `localhost`: the whole of what go-plugin
 * checks. Made by hand, since the packages that do it take half as long to load as the provider takes to start.
 */
export function makeCertificate(now: Date): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const algorithm = sequence(objectId(ECDSA_WITH_SHA256))
  const localhost = sequence(set(sequence(objectId(COMMON_NAME), utf8('localhost'))))
  const signed = sequence(
    tagged(0, integer(Buffer.from([2]))), // version 3
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])), // no zero in front
    algorithm,
    localhost,
    sequence(time(new Date(now.getTime() - DAY)), time(new Date(now.getTime() + 30 * DAY))),
    localhost,
    publicKey.export({ format: 'der', type: 'spki' }),
    tagged(3, sequence(...extensions())),
  )
  const signature = sign('sha256', signed, privateKey)
  const certificateDer = sequence(signed, algorithm, bits(signature))
  return {
    certificateDer,
    certificatePem: `-----BEGIN CERTIFICATE-----\n${lines(certificateDer.toString('base64'))}\n-----END CERTIFICATE-----\n`,
    keyPem: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  }
}

const extensions = () => [
  extension(KEY_USAGE, bits(DIGITAL_SIGNATURE, 7)),
  extension(EXTENDED_KEY_USAGE, sequence(objectId(SERVER_AUTHENTICATION), objectId(CLIENT_AUTHENTICATION))),
  extension(SUBJECT_ALTERNATIVE_NAME, sequence(der(0x82, Buffer.from('localhost')))),
]

const extension = (id: string, value: Buffer) => sequence(objectId(id), octets(value))

const lines = (base64: string) => base64.replace(/.{64}(?=.)/g, '$&\n')
