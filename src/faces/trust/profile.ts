import { createHash } from 'node:crypto'
import type { LocalCa } from '#machinery/http/local-ca/kept.ts'

/**
 * Returns the CA as a configuration profile of iOS and macOS, which says what it is before it is installed. The same CA always
 * makes the same profile, so that a second installation replaces the first. Apple, "Configuration Profile Reference", payload
 * `com.apple.security.root`.
 */
export function profileOf({ der, fingerprint, name }: Pick<LocalCa, 'der' | 'fingerprint' | 'name'>): string {
  const id = createHash('sha256').update(der).digest('hex')
  const root = entriesOf({
    PayloadType: 'com.apple.security.root',
    PayloadIdentifier: `turnout.door.${id.slice(0, 16)}.ca`,
    PayloadUUID: uuidOf(id.slice(32)),
    PayloadDisplayName: name,
    PayloadDescription: `SHA-256 ${fingerprint}`,
    PayloadCertificateFileName: 'turnout.cer',
  })
  const profile = entriesOf({
    PayloadType: 'Configuration',
    PayloadIdentifier: `turnout.door.${id.slice(0, 16)}`,
    PayloadUUID: uuidOf(id),
    PayloadDisplayName: name,
    PayloadDescription: `SHA-256 ${fingerprint}`,
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
${profile}
<key>PayloadVersion</key><integer>1</integer>
<key>PayloadContent</key>
<array>
<dict>
${root}
<key>PayloadVersion</key><integer>1</integer>
<key>PayloadContent</key><data>${der.toString('base64')}</data>
</dict>
</array>
</dict>
</plist>
`
}

/** All of these texts come from this program, so nothing in them needs escaping. */
function entriesOf(entries: Readonly<Record<string, string>>): string {
  return Object.entries(entries)
    .map(([key, text]) => `<key>${key}</key><string>${text}</string>`)
    .join('\n')
}

function uuidOf(hex: string): string {
  const [, ...parts] = /^(.{8})(.{4})(.{4})(.{4})(.{12})/.exec(hex) as RegExpExecArray
  return parts.join('-').toUpperCase()
}
