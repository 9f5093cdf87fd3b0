import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { Agent, request } from 'undici'
import { worstBodies, worstQueries } from '#test/faces/api/worst-input.ts'
import { prepareFullFolder } from '../full-folder.ts'
import { type Prepared, startWatchedServer } from '../watched-server.ts'
import type { SiteForm } from './site-forms.ts'

const KIBIBYTE = 1024
const MEBIBYTE = 1024 * KIBIBYTE

/** These texts cost most to look at, or are the signs of formatted texts and of pages. */
const units = [
  ...[
    '\u0301\u0316',
    'a\u0344',
    '\ufb2c',
    '\u{1f469}\u200d',
    '\u0130',
    '\u200b',
    ' a',
    '\u2003\u3000',
    '=',
    '7',
    'a',
    '-',
  ],
  ...[
    'a.',
    '%',
    '\r\n',
    '<',
    '*',
    '**a ',
    '_a',
    '[',
    '![a](b',
    '`',
    '> ',
    '- ',
    '|',
    'https://a.b/ ',
    'a@b.example\n',
    'A1,',
  ],
]
/** These cost most where they are not cut: each field of a form gets one by itself, and all of them get as much as fits. */
const dearest = ['\u0301\u0316', 'ﬃ', ' a', 'a-', '7', '\r\n']
/** The length in characters of a name, and of a long text, which are legal. */
const LENGTHS = [180, 19_900]
/** Bytes, of one field by itself. */
const LONG_FIELD = 64 * KIBIBYTE

function encode(text: string): string {
  return text.replace(/[%&+]/g, encodeURIComponent)
}

function filled(unit: string, length: number): string {
  return unit.repeat(Math.max(1, Math.floor(length / unit.length)))
}

/** Makes a body of the form with these texts instead of its own, as short as it can be sent. */
function bodyOf({ fields }: SiteForm, texts: ReadonlyMap<string, string>): string {
  const all = fields.some(({ isHidden }) => !isHidden) ? fields : [...fields, { name: 'x', value: '' }]
  return all.map(({ name, value }) => `${encode(name)}=${encode(texts.get(name) ?? value)}`).join('&')
}

export interface Body {
  what: string
  make: () => string | Buffer
}

/** A form may have this many fields. */
const MOST_FIELDS = 2000

/** Makes a body of one field, over and over. */
function manyFields(name: string, count: number): Body {
  const value = 'a'.repeat(400)
  return {
    what: `${count} of ${name}`,
    make: () =>
      Array(count)
        .fill(`${encode(name)}=${value}`)
        .join('&'),
  }
}

/** These bodies are no text, or are written as nobody writes one. */
const encodings = [
  ['bytes that are no letters', '%ff%fe'],
  ['letters in too many bytes', '%c0%af'],
  ['halves of letters', '%ed%a0%80'],
  ['ends of text', '%00'],
  ['letters of another way to write', '%u0041'],
  ['escapes of escapes', '%2525'],
  ['escapes that are none', '%zz'],
  ['ends of lines', '%0d%0a'],
] as const

function joined(names: readonly string[], unit: string, length: number): string {
  return names.map(name => `${encode(name)}=${filled(unit, length / names.length)}`).join('&')
}

/** Returns the bodies of a form, in groups that are measured together. */
function groupsOf(form: SiteForm): Body[][] {
  const shown = form.fields.filter(({ isHidden }) => !isHidden).map(({ name }) => name)
  const names = shown.length > 0 ? shown : ['x']
  const share = 1_000_000 / names.length
  const group = (
    texts: readonly string[],
    where: string,
    length: (unit: string) => number,
    of: readonly string[],
  ) =>
    texts.map(unit => ({
      what: `${JSON.stringify(unit)} ${where}`,
      make: () => bodyOf(form, new Map(of.map(name => [name, filled(unit, length(unit))]))),
    }))
  /** Returns how many characters so many bytes have. */
  const within = (bytes: number) => (unit: string) => (bytes * unit.length) / Buffer.byteLength(encode(unit))
  const bodies = [
    worstQueries['many parameters'],
    worstQueries['many escapes'],
    worstQueries['nothing but &'],
  ]
  return [
    ...LENGTHS.map(length => group(units, `to ${length} in all fields`, () => length, names)),
    group(dearest, 'to the most in all fields', within(share), names),
    ...form.fields.map(({ name }) => group(dearest, `in ${name}`, within(LONG_FIELD), [name])),
    [MOST_FIELDS, MOST_FIELDS + 1].map(count => manyFields(names[0] as string, count)),
    encodings.map(([what, unit]) => ({ what, make: () => joined(names, unit, LONG_FIELD) })),
    [...bodies, worstQueries['nothing but +'], worstBodies['bytes that are no text']].map((make, at) => ({
      what: `the worst body ${at}`,
      make: () => make?.(MEBIBYTE) ?? '',
    })),
  ]
}

/** Starts a watched server with everything, and forms that are sent to it. */
export function startWatchedSite(t: TestContext) {
  return startWatched(t, prepareFullFolder)
}

export type WatchedSite = Awaited<ReturnType<typeof startWatchedSite>>

/** The part that sends forms to a watched server. */
export type Sender = Pick<WatchedSite, 'sendAll'>

/** Starts a watched server, and sends forms to it. @param prepare makes its data folder @param flags of `serve` */
export async function startWatched<Folder extends Prepared>(
  t: TestContext,
  prepare: (t: TestContext) => Promise<Folder>,
  flags: readonly string[] = [],
) {
  const watched = await startWatchedServer(t, prepare, flags)
  const origin = new URL(watched.url).origin
  const agent = new Agent({ connections: 1 })
  t.after(() => agent.close())

  /** @returns the status */
  async function send(
    path: string,
    {
      body,
      headers = {},
      method = 'POST',
    }: { body?: string | Buffer; headers?: Record<string, string>; method?: 'GET' | 'POST' },
  ): Promise<number> {
    const answer = await request(origin + path, {
      method,
      dispatcher: agent,
      headers: {
        accept: 'text/html',
        'sec-fetch-site': 'same-origin',
        ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      body: body ?? null,
    })
    await answer.body.dump()
    assert.ok(answer.statusCode !== 500, `${method} ${path} -> ${answer.statusCode}`)
    return answer.statusCode
  }

  /** Sends some, and each by itself where they took too long together. */
  async function sendAll(
    what: string,
    path: string | (() => string),
    bodies: readonly Body[],
    headers: Record<string, string>,
  ): Promise<Set<number>> {
    const statuses = new Set<number>()
    const post = async (address: string, make: Body['make']) => {
      statuses.add(
        await send(typeof path === 'string' ? path : path(), {
          body: make(),
          headers: { ...headers, 'x-forwarded-for': address },
        }),
      )
    }
    const all = async (address: string) => {
      for (const { make } of bodies) await post(address, make)
    }
    const isSoon = await watched.measure(`${what}: ${bodies.length} bodies`, all, false)
    for (const one of isSoon ? [] : bodies)
      await watched.measure(`${what}: ${one.what}`, address => post(address, one.make))
    return statuses
  }

  return { ...watched, origin, send, sendAll }
}

/** These statuses show that nothing of a form was looked at. */
const NOWHERE = new Set([401, 403, 404, 405, 429, 503])

/**
 * Sends all that is worst to a form.
 *
 * @returns whether anything of it was looked at
 */
export function sweepForm(
  watched: Sender,
  form: SiteForm,
  headers: Record<string, string>,
): Promise<boolean> {
  return sweepForms(watched, [form], headers)
}

/**
 * Sends one form on many pages, each time that of another page, so that what is done once, or counted by its link, is still done.
 */
export async function sweepForms(
  watched: Sender,
  forms: readonly [SiteForm, ...SiteForm[]],
  headers: Record<string, string>,
): Promise<boolean> {
  const statuses = new Set<number>()
  const groups = forms.map(groupsOf)
  let turn = 0
  const nextAction = () => {
    turn = (turn + 1) % forms.length
    return (forms[turn] as SiteForm).action
  }
  for (const [at, group] of groups[0]?.entries() ?? []) {
    const bodies = group.map(({ what }, n) => ({
      what,
      make: () => groups[turn]?.[at]?.[n]?.make() ?? '',
    }))
    for (const status of await watched.sendAll(`POST ${forms[0].action}`, nextAction, bodies, headers))
      statuses.add(status)
  }
  return [...statuses].some(status => !NOWHERE.has(status))
}
