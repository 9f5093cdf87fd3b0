import { button } from '#faces/dashboard/frame/button.ts'
import { download } from '#faces/dashboard/frame/download.ts'
import { readCursor, toNext } from '#faces/dashboard/frame/list-page.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { ButtonLink, Empty, Head, Pill, PostButton } from '#machinery/web/components/parts.tsx'
import { flash, type Tone } from '#machinery/web/flash.ts'
import { type List, Pages, Table } from '#machinery/web/lists/list.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import * as codes from '#product/catalog/codes/rules.ts'
import type { Code } from '#product/catalog/codes/schemas.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { beginCodeReport } from '#product/reporting/reports/code-report.ts'
import { TicketTabs } from './ticket-tabs.tsx'

const PER_PAGE = 50

interface Row extends Code {
  state: codes.CodeState
}

interface Loaded {
  rows: readonly Row[]
  next: string | undefined
  typeNames: ReadonlyMap<string, string>
}

const tones: Readonly<Record<codes.CodeState, Tone | 'off' | undefined>> = {
  on: 'good',
  later: undefined,
  ended: 'off',
  usedUp: 'warn',
  off: 'off',
}

export const codesPage = showPage('event', {
  path: '/e/{event}/tickets/codes',
  permission: 'events.edit',
  load: async (tx, request, { cursors, clock }): Promise<Loaded> => {
    const { event } = request
    const scope = `codes ${event.id}`
    const page = { limit: PER_PAGE + 1, after: readCursor(cursors, scope, request) }
    const found = [...(await codes.list(tx, event.id, page))]
    const types = await registrationTypes.listByEvent(tx, event.id)
    return {
      rows: found
        .slice(0, PER_PAGE)
        .map(({ resource }) => ({ ...resource, state: codes.stateOf(resource, clock()) })),
      next: toNext(cursors, scope, found, PER_PAGE),
      typeNames: new Map(types.map(({ id, name }) => [id, name])),
    }
  },
  view: (loaded, request) => ({
    title: request.voice.texts.codes.title,
    body: <Codes loaded={loaded} request={request} />,
  }),
})

/** Returns what a code does, in a few words. */
export function effectOf({ percent, amount }: Code, { texts, format }: Voice, currency: string): string {
  if (percent !== null) return texts.codes.percentOff(format.number(percent))
  return amount === null ? texts.codes.unlocks : texts.codes.amountOff(format.money(amount, currency))
}

function listOf({ typeNames }: Loaded, { event }: EventRequest): List<Row> {
  return {
    caption: texts => texts.codes.caption,
    columns: [
      {
        label: texts => texts.codes.code,
        place: 'name',
        cell: ({ id, code, note }) => (
          <>
            <a href={paths.code(event.id, id)}>
              <bdi>{code}</bdi>
            </a>
            {note !== null && (
              <div class="small quiet">
                <bdi>{note}</bdi>
              </div>
            )}
          </>
        ),
      },
      {
        label: texts => texts.codes.effect,
        place: 'line',
        cell: (row, voice) => (
          <>
            {effectOf(row, voice, event.currency)}
            <div class="small quiet">
              <bdi>{typesOf(row, typeNames, voice)}</bdi>
            </div>
          </>
        ),
      },
      {
        label: texts => texts.codes.used,
        place: 'amount',
        isNumber: true,
        cell: ({ used, max_tickets: most }, { texts, format }) =>
          most === null ? format.number(used) : texts.codes.usedOf(format.number(used), format.number(most)),
      },
      {
        label: texts => texts.codes.state,
        place: 'when',
        cell: ({ id, code, state, active }, { texts }) => (
          <span class="row">
            <Pill tone={tones[state]}>{texts.codes.states[state]}</Pill>
            <PostButton
              action={paths.ofCode(event.id, id, active ? 'deactivate' : 'activate')}
              label={`${active ? texts.codes.deactivate : texts.codes.activate}: ${code}`}
            >
              {active ? texts.codes.deactivate : texts.codes.activate}
            </PostButton>
          </span>
        ),
      },
    ],
  }
}

function typesOf(
  { registration_type_ids: ids }: Code,
  typeNames: Loaded['typeNames'],
  { texts, format }: Voice,
): string {
  if (ids === null) return texts.codes.allTypes
  return ids.length === 0 ? texts.codes.noTypes : format.list(ids.map(id => typeNames.get(id) ?? ''))
}

function Codes({ loaded, request }: { loaded: Loaded; request: EventRequest }) {
  const { event, voice, query } = request
  const { codes: texts } = voice.texts
  const { rows, next } = loaded
  const path = paths.codes(event.id)
  const after = query.get('after') ?? undefined
  const tabs = <TicketTabs current={path} request={request} />
  const create = (
    <>
      <ButtonLink href={paths.generateCodes(event.id)}>{texts.generate}</ButtonLink>
      <ButtonLink href={paths.newCode(event.id)} main>
        {texts.newCode}
      </ButtonLink>
    </>
  )
  if (rows.length === 0 && after === undefined) {
    return (
      <>
        <Head title={texts.title} />
        {tabs}
        <Empty icon="key" title={texts.none} action={create}>
          {texts.noneAbout}
        </Empty>
      </>
    )
  }
  const actions = (
    <>
      <ButtonLink href={paths.codesCsv(event.id)}>{texts.csv}</ButtonLink>
      {create}
    </>
  )
  return (
    <>
      <Head title={texts.title} about={texts.about} actions={actions} />
      {tabs}
      <Table list={listOf(loaded, request)} rows={rows} voice={voice} />
      <Pages path={path} query={{ after }} shown={rows.length} next={next} texts={voice.texts} />
    </>
  )
}

/** Sends all codes as a file, such as those that were made at once. */
export const codesCsv = download('event', {
  path: '/e/{event}/tickets/codes.csv',
  permission: 'events.edit',
  open: async (reader, { account, event }) => ({
    type: 'text/csv; charset=utf-8',
    fileName: `codes-${event.slug}.csv`,
    chunks: await beginCodeReport(reader, account.id, event),
  }),
})

const setting = (what: 'activate' | 'deactivate', active: boolean) =>
  button('event', {
    path: `/e/{event}/tickets/codes/{code}/${what}`,
    permission: 'events.edit',
    act: (tx, { event, params }) => codes.update(tx, event.id, params.code ?? '', { active }),
    entry: () => ({ action: `code.${what}`, targetType: 'code', targetOf: ({ id }) => id }),
    next: ({ code }, { event }) => ({
      path: paths.codes(event.id),
      flash: flash(active ? 'codeOn' : 'codeOff', { name: code }),
    }),
    back: ({ event }) => paths.codes(event.id),
  })

export const activateCode = setting('activate', true)
export const deactivateCode = setting('deactivate', false)
