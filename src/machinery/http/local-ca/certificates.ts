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
import { DAY } from '#base/time.ts'

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'
const COMMON_NAME = '2.5.4.3'
/** The validity begins so early that a client whose clock is behind also accepts a new certificate. */
const BEFORE = DAY
/**
 * The time from the first to the last day of both certificates, including these days. iOS refuses a server certificate of more
 * than 825 days.
 */
const LIFETIME = 824 * DAY

/** All values are PEM. */
export interface MadeCertificates {
  ca: string
  cert: string
  /** The key of `cert`. The key of the CA no longer exists anywhere. */
  key: string
}

/**
 * Makes a CA and the one certificate that it ever signs. The key of the CA is gone when this returns. So nobody can make another
 * certificate that the phones which trust the CA would believe.
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
  // Each CA has a name of its own. Phones list CAs by name, and take two with one name for the same.
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

/** Returns a certificate as PEM: RFC 5280, section 4.1, signed as in RFC 5758, section 3.2. */
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

/** Returns 126 random bits as a positive number that is never shorter. */
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

/** Returns the subtree of this very address, with a mask of nothing but ones. */
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

/** Returns the key identifier: RFC 7093, section 2, method 1. */
function idOf(publicKey: KeyObject): ArrayBuffer {
  const { subjectPublicKey } = AsnConvert.parse(spkiOf(publicKey), SubjectPublicKeyInfo)
  return bytesOf(createHash('sha256').update(Buffer.from(subjectPublicKey)).digest().subarray(0, 20))
}

function spkiOf(publicKey: KeyObject): Buffer {
  return publicKey.export({ type: 'spki', format: 'der' })
}

/** Returns the date in whole seconds, as certificates have it. */
function seconds(milliseconds: number): Date {
  return new Date(Math.floor(milliseconds / 1000) * 1000)
}

/** Copies the bytes, because a Buffer may be a part of a larger one. */
function bytesOf(buffer: Buffer): ArrayBuffer {
  return Uint8Array.from(buffer).buffer
}

function toPem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) as string[]
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
