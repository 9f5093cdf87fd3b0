import type { Program, Recording } from '../recording.ts'

const UNKNOWN = '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f'

/** Pairs a phone with a door, loads its list, and sends scans, good ones and bad ones. */
export async function scan(
  recording: Recording,
  program: Program,
  { events }: { events: Record<string, { id: string }> },
): Promise<void> {
  for (const path of [
    '/door',
    '/door/',
    '/door/worker.js',
    '/door/manifest.webmanifest',
    '/door/files/x',
    '/door/x',
  ])
    await recording.ask('GET', path)
  const page = await recording.ask('GET', '/door/', { headers: { 'accept-encoding': 'gzip' } })
  for (const [, path] of page.text.matchAll(/(?:src|href)="(files\/[\w.-]+)"/g))
    await recording.ask('GET', `/door/${path}`)
  const made = JSON.parse(
    await program.command(
      'device',
      'add',
      '--event',
      'spring-meeting',
      '--name',
      'Main',
      '--search',
      '--json',
    ),
  )
  const secret = String(made.pairing_url).split('#pair=')[1]
  for (const body of ['{', {}, { secret: 'x' }, { secret }, { secret }])
    await recording.ask('POST', '/door/pair', { body, headers: { 'content-type': 'application/json' } })
  const { body: paired } = await recording.ask('POST', '/door/pair', { body: { secret } })
  const headers = { authorization: `Bearer ${paired?.token}`, 'content-type': 'application/json' }
  const { body: copy } = await recording.ask('GET', '/door/copy', { headers })
  await recording.ask('GET', '/door/copy')
  await recording.ask('GET', '/door/copy', { headers: { ...headers, 'accept-encoding': 'gzip' } })
  for (const cursor of ['', 'x', '0', String(copy?.cursor)])
    await recording.ask('GET', `/door/changes?cursor=${cursor}`, { headers })
  const item = (n: number, of: object) => ({
    ...{
      scan_id: UNKNOWN.replace(/^......../, String(n).padStart(8, '0')),
      kind: 'scan',
      offset: 0,
      shown: null,
    },
    ...{ at: new Date().toISOString(), ...of },
  })
  const tickets = ticketsOf(copy)
  const first = item(10, { ticket: tickets[0] })
  const sent: unknown[] = [
    ...['[]', {}, { waiting: 0, scans: [] }, { waiting: 0, scans: [item(1, { code: 'x' })] }],
    { waiting: 0, scans: [first] },
    ...tickets.slice(1).map((ticket, n) => ({ waiting: 0, scans: [item(11 + n, { ticket })] })),
    ...tickets
      .slice(0, 2)
      .map((ticket, n) => ({ waiting: 1, scans: [item(20 + n, { ticket, shown: 'admitted' })] })),
    ...[
      { waiting: 0, scans: [first] },
      { waiting: 0, scans: [{ ...first, offset: 1 }] },
      { waiting: 0, scans: [item(30, { ticket: UNKNOWN })] },
    ],
    { waiting: 0, scans: [{ ...item(40, {}), kind: 'undo', of: first.scan_id }] },
  ]
  for (const body of sent) await recording.ask('POST', '/door/scans', { body, headers })
  await recording.ask('GET', `/door/changes?cursor=${copy?.cursor}`, { headers })
  await program.command('device', 'list')
  await program.command('scan', 'list', '--event', 'spring-meeting')
  await program.command('device', 'revoke', String(made.id))
  await recording.ask('GET', '/door/copy', { headers })
  const undone = { waiting: 0, scans: [item(50, { ticket: tickets[1] })] }
  await recording.ask('POST', '/door/scans', { body: undone, headers })
  for (const event of Object.keys(events)) await program.command('scan', 'list', '--event', event, '--json')
}

/** Returns the ids of some tickets on the list of a door. */
function ticketsOf(copy: { tickets?: readonly unknown[] } | undefined): string[] {
  return (copy?.tickets ?? [])
    .slice(0, 4)
    .map(ticket => (Array.isArray(ticket) ? ticket[0] : (ticket as { id: string }).id))
}
