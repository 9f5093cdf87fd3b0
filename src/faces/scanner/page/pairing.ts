/** The secret in an address, or in what a camera, a scanner or a person gives: `https://…/door/#pair=SECRET`, or its end alone. */
export function findSecret(text: string): string | undefined {
  return /(?:^|[#?&\s])pair=([\w-]{8,200})\s*$/i.exec(text.trim())?.[1]
}

/** Whether an address of a pairing is of another server. */
export function isElsewhere(text: string, origin: string): string | undefined {
  try {
    const url = new URL(text.trim())
    return url.origin === origin ? undefined : url.host
  } catch {
    return undefined
  }
}
