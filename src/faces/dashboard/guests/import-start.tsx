import { Problem } from '#base/problem.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { actorOf, type EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import type { ImportField } from '#product/guests/imports/columns.ts'
import * as moving from '#product/guests/imports/moving.ts'
import type * as imports from '#product/guests/imports/rules.ts'
import type { CheckInput, Counts } from '#product/guests/imports/schemas.ts'
import { uploadOf } from './import.tsx'

async function load(tx: ReadTx, request: EventRequest): Promise<imports.Upload> {
  const upload = await uploadOf(tx, request)
  if (upload.job.state !== 'done') throw refusal('import_not_checked')
  return upload
}

function refusal(reason: string): Problem {
  return new Problem('invalid_transition', { details: { reason } })
}

function fills({ columns }: CheckInput, ...fields: ImportField[]): boolean {
  return fields.some(field => columns.includes(field))
}

/** Asks before it starts, because a registration can be cancelled, but not taken back. */
export const startImport = formPage('event', {
  path: '/e/{event}/guests/import/{job}/start',
  permission: 'guests.edit',
  load,
  fields: () => ({}),
  preview: ({ left, imported }) => `${left} ${imported?.id ?? ''}`,
  parts: ({ job, input, imported, left }, { event, voice }) => {
    const { imports: texts } = voice.texts
    const counts = (job.outcome ?? {}) as Partial<Counts>
    const {
      tickets = 0,
      known = 0,
      wrong = 0,
      sold_out = 0,
      left_out = 0,
      answered = [],
      extras = 0,
    } = counts
    const others = known + wrong + sold_out
    return {
      title: (extras > 0 ? texts.importLinesTitle : texts.importTitle)(left),
      crumbs: <a href={paths.importGuests(event.id)}>{texts.title}</a>,
      ...{
        submit: (extras > 0 ? texts.importLines : texts.importN)(left),
        leave: paths.guestImport(event.id, job.id),
      },
      will: [
        ...(imported !== undefined ? [texts.willAddLines] : tickets > 0 ? [texts.willAdd(tickets)] : []),
        ...(extras > 0 && imported === undefined ? [texts.willAddExtras(extras)] : []),
        ...(others > 0 ? [texts.willLeave(others)] : []),
        ...(left_out > 0 ? [texts.voided(left_out)] : []),
        ...(fills(input, 'checked_in', 'status') ? [texts.willCheckIn] : []),
        ...(input.system !== undefined && answered.length > 0 ? [texts.willAsk] : []),
        texts.willNotMail,
        texts.willNotDouble,
      ],
    }
  },
  act: (tx, request, { loaded: { job, left } }) => {
    if (left === 0) throw refusal('nothing_to_import')
    return moving.start(tx, actorOf(request), job.id)
  },
  entry: ({ event }) => ({
    action: 'import.start',
    targetType: 'job',
    targetOf: ({ id }) => id,
    details: (_, job) => ({ event_id: event.id, lines: job?.total }),
  }),
  next: ({ input }, { event }) => ({ path: paths.guestImport(event.id, String(input.check_id)) }),
})
