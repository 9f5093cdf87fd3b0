/** A word that no line of a log would have of itself. */
export const CANARY = 'kanarienvogel'

/** Returns where the canary stands in a log, as text or as the numbers of its bytes. */
export function sightings(log: string): string[] {
  const bytes = [...Buffer.from(CANARY)].join(',')
  return log.split('\n').filter(line => line.includes(CANARY) || line.replaceAll(' ', '').includes(bytes))
}
