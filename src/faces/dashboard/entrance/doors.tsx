import * as doors from '../../doors/rules.ts'
import type { Device } from '../../doors/schemas.ts'
import type { Inside } from '../../figures/inside.ts'
import * as registrationTypes from '../../registration-types/rules.ts'
import type { TypeDetails } from '../../registration-types/schemas.ts'
import { MINUTE } from '../../time.ts'
import {
  ButtonLink,
  Empty,
  Head,
  Live,
  Pill,
  type StatProps,
  Stats,
  Time,
} from '../../web/components/parts.tsx'
import type { Tone } from '../../web/flash.ts'
import { type List, Table } from '../../web/lists/list.tsx'
import type { Voice } from '../../web/voice.ts'
import type { OfEvent } from '../asked.ts'
import { countToLookAt, DoorTabs, OF_DOORS, type ToLookAt } from '../door-parts.tsx'
import { paths } from '../paths.ts'
import { showPage } from '../show.tsx'
import { InsideByType, insideStats } from './check-in-figures.tsx'

/** How often the numbers are looked at again, in seconds; without the script more rarely, as the page begins anew. */
const EVERY = 5
const EVERY_WITHOUT_SCRIPT = 30
/** What `recent` means, and after how long nobody knows of a phone, in milliseconds. */
const RECENT = 5 * MINUTE

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
  navigation: { icon: 'door', text: texts => texts.navigation.doors },
  prepare: async ({ db, inside, clock }, asked): Promise<Loaded> => {
    const { account, event } = asked
    const now = clock()
    const counted = await inside.count(db, account.id, event.id, now - RECENT)
    const read = await db.read(async tx => ({
      devices: await doors.list(tx, account.id, event.id),
      types: await registrationTypes.listDetails(tx, account.id, event.id),
      toLookAt: await countToLookAt(tx, asked),
    }))
    return { ...read, inside: counted, now }
  },
  view: (loaded, asked) => ({
    title: asked.voice.texts.doors.title,
    refresh: loaded.devices.length === 0 ? undefined : EVERY_WITHOUT_SCRIPT,
    body: <Doors loaded={loaded} asked={asked} />,
  }),
})

function Doors({ loaded, asked }: { loaded: Loaded; asked: OfEvent }) {
  const { event, voice } = asked
  const { doors: texts } = voice.texts
  const { devices, inside, types, toLookAt } = loaded
  const add = (
    <ButtonLink href={paths.newDoor(event.id)} main>
      {texts.add}
    </ButtonLink>
  )
  const paper = <ButtonLink href={paths.paperLists(event.id)}>{texts.paper}</ButtonLink>
  return (
    <>
      <Head
        title={texts.title}
        about={texts.about}
        actions={
          <>
            {devices.length > 0 && add}
            {paper}
          </>
        }
      />
      <DoorTabs current="doors" toLookAt={toLookAt} asked={asked} />
      {devices.length === 0 ? (
        <Empty icon="door" title={texts.none} action={add}>
          {texts.noneAbout}
        </Empty>
      ) : (
        <Live id="figures" every={EVERY}>
          <Stats label={texts.figures} stats={statsOf(loaded, voice)} />
          <Table list={listOf(loaded, asked)} rows={devices} voice={voice} hasHeading />
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
  if (seen !== null) return now - Date.parse(seen) < RECENT ? 'active' : 'silent'
  return expires !== null && Date.parse(expires) > now ? 'waiting' : 'unpaired'
}

function listOf({ now, types }: Loaded, { event }: OfEvent): List<Device> {
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

/** In one line. A type may be gone. */
function whatItDoes(device: Device, types: readonly TypeDetails[], { doors: texts }: Voice['texts']): string {
  const { registration_type_ids: ids, search, unlisted } = device
  const admits =
    ids === null ? [texts.admitsAll] : types.filter(({ id }) => ids.includes(id)).map(({ name }) => name)
  const more = [search && texts.withSearch, unlisted && texts.withUnlisted].filter(each => each !== false)
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
