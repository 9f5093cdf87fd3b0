import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  GeneralSubtree,
  GeneralSubtrees,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_nameConstraints,
  id_ce_subjectAltName,
  id_ce_subjectKeyIdentifier,
  id_kp_serverAuth,
  KeyIdentifier,
  KeyUsage,
  KeyUsageFlags,
  Name,
  NameConstraints,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
} from '@peculiar/asn1-x509'
import { DAY } from '../../time.ts'

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'
const COMMON_NAME = '2.5.4.3'
/** A clock that is behind takes a new one for good too. */
const BEFORE = DAY
/** Of both, their first day and their last among them: iOS takes none of a server that is longer than 825 days. */
const LIFETIME = 824 * DAY

/** PEM each. */
export interface MadeCertificates {
  ca: string
  cert: string
  /** Of `cert`; that of the CA is nowhere any more. */
  key: string
}

/**
 * Makes a CA and the one certificate that it ever signs: its key is gone when this returns, so that nobody can make another
 * that the phones which trust it would believe.
 *
 * @param names DNS names and IP addresses of the server
 * @param now milliseconds
 */
export function makeCertificates(names: readonly string[], now: number): MadeCertificates {
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const server = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const validity = new Validity({
    notBefore: seconds(now - BEFORE),
    notAfter: seconds(now - BEFORE + LIFETIME),
  })
  // Each has a name of its own: phones list them by it, and take two of one name for the same.
  const issuer = nameOf(`Turnout at the door ${randomBytes(3).toString('hex').toUpperCase()}`)
  const signed = { issuer, validity, signer: authority.privateKey }
  const generalNames = names.map(toGeneralName)
  const ca = issue({
    ...signed,
    subject: issuer,
    publicKey: authority.publicKey,
    extensions: [
      critical(id_ce_basicConstraints, new BasicConstraints({ cA: true, pathLenConstraint: 0 })),
      critical(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.keyCertSign)),
      critical(
        id_ce_nameConstraints,
        new NameConstraints({ permittedSubtrees: new GeneralSubtrees(names.map(toSubtree)) }),
      ),
      plain(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(idOf(authority.publicKey))),
    ],
  })
  const cert = issue({
    ...signed,
    subject: nameOf('Turnout at the door'),
    publicKey: server.publicKey,
    extensions: [
      critical(id_ce_basicConstraints, new BasicConstraints()),
      critical(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.digitalSignature)),
      plain(id_ce_extKeyUsage, new ExtendedKeyUsage([id_kp_serverAuth])),
      plain(id_ce_subjectAltName, new SubjectAlternativeName(generalNames)),
      plain(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(idOf(server.publicKey))),
      plain(
        id_ce_authorityKeyIdentifier,
        new AuthorityKeyIdentifier({ keyIdentifier: new KeyIdentifier(idOf(authority.publicKey)) }),
      ),
    ],
  })
  return { ca, cert, key: server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
}

interface Issued {
  subject: Name
  issuer: Name
  validity: Validity
  publicKey: KeyObject
  extensions: Extension[]
  signer: KeyObject
}

/** RFC 5280, section 4.1, signed as in RFC 5758, section 3.2. */
function issue({ subject, issuer, validity, publicKey, extensions, signer }: Issued): string {
  const algorithm = new AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 })
  const tbsCertificate = new TBSCertificate({
    version: 2,
    serialNumber: newSerial(),
    signature: algorithm,
    ...{ issuer, validity, subject },
    subjectPublicKeyInfo: AsnConvert.parse(spkiOf(publicKey), SubjectPublicKeyInfo),
    extensions: new Extensions(extensions),
  })
  const signature = sign('sha256', Buffer.from(AsnConvert.serialize(tbsCertificate)), signer)
  const certificate = new Certificate({
    tbsCertificate,
    signatureAlgorithm: algorithm,
    signatureValue: bytesOf(signature),
  })
  return toPem(Buffer.from(AsnConvert.serialize(certificate)))
}

/** 126 random bits, positive, and never shorter. */
function newSerial(): ArrayBuffer {
  const serial = randomBytes(16)
  serial[0] = ((serial[0] as number) & 0x3f) | 0x40
  return bytesOf(serial)
}

function nameOf(commonName: string): Name {
  const attribute = new AttributeTypeAndValue({
    type: COMMON_NAME,
    value: new AttributeValue({ utf8String: commonName }),
  })
  return new Name([new RelativeDistinguishedName([attribute])])
}

function toGeneralName(name: string): GeneralName {
  return new GeneralName(isIP(name) === 0 ? { dNSName: name } : { iPAddress: name })
}

/** This very address, by a mask of nothing but ones. */
function toSubtree(name: string): GeneralSubtree {
  const bits = isIP(name) === 6 ? 128 : 32
  const base = isIP(name) === 0 ? toGeneralName(name) : new GeneralName({ iPAddress: `${name}/${bits}` })
  return new GeneralSubtree({ base })
}

function critical(extnID: string, value: object): Extension {
  return extension(extnID, value, true)
}

function plain(extnID: string, value: object): Extension {
  return extension(extnID, value, false)
}

function extension(extnID: string, value: object, isCritical: boolean): Extension {
  const extnValue = new OctetString(AsnConvert.serialize(value))
  return new Extension({ extnID, critical: isCritical, extnValue })
}

/** RFC 7093, section 2, method 1. */
function idOf(publicKey: KeyObject): ArrayBuffer {
  const { subjectPublicKey } = AsnConvert.parse(spkiOf(publicKey), SubjectPublicKeyInfo)
  return bytesOf(createHash('sha256').update(Buffer.from(subjectPublicKey)).digest().subarray(0, 20))
}

function spkiOf(publicKey: KeyObject): Buffer {
  return publicKey.export({ type: 'spki', format: 'der' })
}

/** Certificates tell whole seconds. */
function seconds(milliseconds: number): Date {
  return new Date(Math.floor(milliseconds / 1000) * 1000)
}

/** A Buffer may lie in a larger one. */
function bytesOf(buffer: Buffer): ArrayBuffer {
  return Uint8Array.from(buffer).buffer
}

function toPem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) as string[]
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
