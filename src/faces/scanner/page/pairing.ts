/**
 * Returns the secret in an address, or in a text from a camera, a scanner or a person: `https://…/door/#pair=SECRET`, or only its
 * end.
 */
export function findSecret(text: string): string | undefined {
  return /(?:^|[#?&\s])pair=([\w-]{8,200})\s*$/i.exec(text.trim())?.[1]
}

/** Returns the host if the address of a pairing belongs to another server. */
export function isElsewhere(text: string, origin: string): string | undefined {
  try {
    const url = new URL(text.trim())
    return url.origin === origin ? undefined : url.host
  } catch {
    return undefined
  }
}
