import { MINUTE } from '#base/time.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import {
  ButtonLink,
  Empty,
  Head,
  Live,
  Pill,
  type StatProps,
  Stats,
  Time,
} from '#machinery/web/components/parts.tsx'
import type { Tone } from '#machinery/web/flash.ts'
import { type List, Table } from '#machinery/web/lists/list.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import { allowsMore } from '#product/entrance/check-ins/entry-rule.ts'
import * as doors from '#product/entrance/doors/rules.ts'
import type { Device } from '#product/entrance/doors/schemas.ts'
import type { Inside } from '#product/reporting/figures/inside.ts'
import { InsideByType, insideStats } from './check-in-figures.tsx'
import { CheckInTabs, countToLookAt, OF_DOORS, type ToLookAt } from './door-parts.tsx'

/**
 * The numbers are looked at again this often, in seconds. Without the script that happens more rarely, because the whole page
 * reloads.
 */
const EVERY = 5
const EVERY_WITHOUT_SCRIPT = 30
/** Check-ins within this time count as recent, in milliseconds. */
const RECENT = 5 * MINUTE
/** A phone without contact for so long counts as silent, in milliseconds. When it was last heard of is noted once a minute. */
const SILENT = 2 * MINUTE

interface Loaded {
  devices: readonly Device[]
  types: readonly TypeDetails[]
  inside: Inside
  toLookAt: ToLookAt
  now: number
}

export const doorsPage = showPage('event', {
  ...OF_DOORS,
  path: '/e/{event}/doors',
  prepare: async ({ db, inside, clock }, request): Promise<Loaded> => {
    const { account, event } = request
    const now = clock()
    const counted = await inside.count(db, account.id, event.id, now - RECENT)
    const read = await db.read(account.id, async tx => ({
      devices: await doors.list(tx, event.id),
      types: await registrationTypes.listDetails(tx, event.id),
      toLookAt: await countToLookAt(tx, request),
    }))
    return { ...read, inside: counted, now }
  },
  view: (loaded, request) => ({
    title: request.voice.texts.doors.title,
    refresh: loaded.devices.length === 0 ? undefined : EVERY_WITHOUT_SCRIPT,
    body: <Doors loaded={loaded} request={request} />,
  }),
})

function Doors({ loaded, request }: { loaded: Loaded; request: EventRequest }) {
  const { event, voice } = request
  const { doors: texts } = voice.texts
  const { devices, inside, types, toLookAt } = loaded
  const add = (
    <ButtonLink href={paths.newDoor(event.id)} main>
      {texts.add}
    </ButtonLink>
  )
  return (
    <>
      <Head
        title={texts.title}
        about={texts.about}
        actions={
          <>
            {types.some(allowsMore) && (
              <ButtonLink href={paths.entries(event.id)}>{voice.texts.entries.title}</ButtonLink>
            )}
            {devices.length > 0 && add}
          </>
        }
      />
      <CheckInTabs current="doors" toLookAt={toLookAt} request={request} />
      {devices.length === 0 ? (
        <Empty icon="door" title={texts.none} action={add}>
          {texts.noneAbout}
        </Empty>
      ) : (
        <Live id="figures" every={EVERY}>
          <Stats label={texts.figures} stats={statsOf(loaded, voice)} />
          <Table list={listOf(loaded, request)} rows={devices} voice={voice} hasHeading />
          <div class="two">
            <ByDoor inside={inside} voice={voice} />
            {types.length > 1 && <InsideByType inside={inside} types={types} voice={voice} />}
          </div>
        </Live>
      )}
    </>
  )
}

function statsOf({ devices, inside, types }: Loaded, voice: Voice): StatProps[] {
  const { texts, format } = voice
  const unsent = devices.reduce((sum, { waiting }) => sum + waiting, 0)
  return [
    ...insideStats({ inside, types, voice }),
    { name: texts.doors.unsent, value: format.number(unsent), about: texts.doors.unsentAbout },
  ]
}

type State = keyof Voice['texts']['doors']['states']

const tones: Readonly<Record<State, Tone | 'off' | undefined>> = {
  active: 'good',
  silent: 'warn',
  waiting: 'warn',
  unpaired: undefined,
  revoked: 'off',
}

function stateOf(device: Device, now: number): State {
  const { revoked_at, last_seen_at: seen, pairing_expires_at: expires } = device
  if (revoked_at !== null) return 'revoked'
  if (seen !== null) return now - Date.parse(seen) < SILENT ? 'active' : 'silent'
  return expires !== null && Date.parse(expires) > now ? 'waiting' : 'unpaired'
}

function listOf({ now, types }: Loaded, { event }: EventRequest): List<Device> {
  return {
    caption: texts => texts.doors.caption,
    hasLongLines: true,
    columns: [
      {
        label: texts => texts.doors.name,
        place: 'name',
        cell: ({ name }) => <bdi>{name}</bdi>,
      },
      {
        label: texts => texts.doors.state,
        place: 'line',
        cell: (device, { texts }) => {
          const state = stateOf(device, now)
          return (
            <>
              <Pill tone={tones[state]}>{texts.doors.states[state]}</Pill>
              <div class="small quiet">
                <bdi>{whatItDoes(device, types, texts)}</bdi>
              </div>
            </>
          )
        },
      },
      {
        label: texts => texts.doors.lastSeen,
        place: 'when',
        isNumber: true,
        cell: ({ last_seen_at: seen, waiting }, { texts, format }) => (
          <>
            {seen === null ? texts.page.never : <Time at={seen} format={format} short />}
            {waiting > 0 && <div class="small">{texts.doors.unsentOf(waiting)}</div>}
          </>
        ),
      },
      {
        label: texts => texts.doors.action,
        place: 'amount',
        isNumber: true,
        isAction: true,
        cell: ({ id, name, revoked_at: revoked }, { texts }) =>
          revoked === null && (
            <span class="row">
              <a
                class="button"
                href={paths.ofDoor(event.id, id, 'pair')}
                aria-label={texts.doors.pairOf(name)}
              >
                {texts.doors.pair}
              </a>
              <a
                class="button plain"
                href={paths.ofDoor(event.id, id, 'change')}
                aria-label={texts.doors.editOf(name)}
              >
                {texts.doors.edit}
              </a>
              <a
                class="button plain destructive"
                href={paths.ofDoor(event.id, id, 'revoke')}
                aria-label={texts.doors.revokeOf(name)}
              >
                {texts.doors.revoke}
              </a>
            </span>
          ),
      },
    ],
  }
}

/** Says in one line what a door does. A type that it admits may be gone. */
function whatItDoes(
  device: Device,
  types: readonly TypeDetails[],
  { doors: texts, entries }: Voice['texts'],
): string {
  const { registration_type_ids: ids, search, unlisted, way } = device
  const admits =
    ids === null ? [texts.admitsAll] : types.filter(({ id }) => ids.includes(id)).map(({ name }) => name)
  const isOut = way === 'out'
  const is = [isOut && entries.isWayOut, search && texts.withSearch, unlisted && !isOut && texts.withUnlisted]
  const more = is.filter(each => each !== false)
  return [...admits, ...more].join(' · ')
}

function ByDoor({ inside: { by_door: byDoor }, voice }: { inside: Inside; voice: Voice }) {
  if (byDoor === null) return <p class="quiet">{voice.texts.doors.notByDoor}</p>
  if (byDoor.size === 0) return null
  const list: List<[door: string, count: number]> = {
    caption: texts => texts.doors.byDoor,
    columns: [
      {
        label: texts => texts.doors.name,
        place: 'name',
        cell: ([door], { texts }) => (door === '' ? texts.doors.elsewhere : <bdi>{door}</bdi>),
      },
      {
        label: texts => texts.checkIn.inside,
        place: 'amount',
        isNumber: true,
        cell: ([, count], { format }) => format.number(count),
      },
    ],
  }
  const rows = [...byDoor].sort(([, one], [, other]) => other - one)
  return <Table list={list} rows={rows} voice={voice} hasHeading />
}
