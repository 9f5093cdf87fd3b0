import { type EventRequest, scaleOf } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { ErrorSummary } from '#machinery/web/forms/error-summary.tsx'
import { choiceField, timeField } from '#machinery/web/forms/field.ts'
import {
  type FieldFault,
  type FormState,
  newForm,
  parseForm,
  readForm,
  refusedForm,
} from '#machinery/web/forms/form.ts'
import { FieldRows } from '#machinery/web/forms/form-view.tsx'
import { withQuery } from '#machinery/web/link.ts'
import type { ManyDecision, ManyScans } from '#product/entrance/check-ins/decide-many.ts'

export interface Door {
  id: string
  name: string
}

/** The scans to decide about, as the address names them. */
export type Chosen = Omit<ManyScans, 'eventId'>

const ALL = 'all'
const OF_HELD = ['count', 'dismiss'] as const satisfies readonly ManyDecision[]

function fieldsOf(doors: readonly Door[], { event }: EventRequest) {
  const choices = doors.map(({ id, name }) => ({ value: id, label: name }))
  return {
    decision: choiceField<ManyDecision>(
      [...OF_HELD, 'seen'],
      texts => OF_HELD.map(value => ({ value, label: texts.doors.decisions[value] })),
      { label: texts => texts.doors.decision, help: texts => texts.doors.decisionHelp },
      'radios',
    ),
    door: choiceField(
      [ALL, ...choices.map(({ value }) => value)],
      texts => [{ value: ALL, label: texts.doors.allDoors }, ...choices],
      { label: texts => texts.doors.whichDoor },
    ),
    from: timeField({
      label: texts => texts.doors.scannedFrom,
      help: texts => texts.doors.spanHelp(event.timezone),
    }),
    to: timeField({
      label: texts => texts.doors.scannedTo,
      help: texts => texts.doors.spanHelp(event.timezone),
    }),
  }
}

/** Returns what the address names: a choice of scans, or the form that asks for one. */
export function readChosen(doors: readonly Door[], request: EventRequest): Chosen | { state: FormState } {
  const { query } = request
  const fields = fieldsOf(doors, request)
  const scale = scaleOf(request)
  if (!query.has('decision')) return { state: newForm(fields, scale, { decision: 'count', door: ALL }) }
  const caseId = query.get('case')
  const typed = new URLSearchParams(query)
  // A link to one case names nothing more.
  if (!typed.has('door')) typed.set('door', ALL)
  const sent = readForm(fields, typed)
  const refuse = (faults: Map<string, FieldFault>) => ({
    state: refusedForm(fields, scale, sent, { faults }),
  })
  const parsed = parseForm(fields, scale, sent)
  if ('faults' in parsed) return refuse(parsed.faults)
  if (query.has('edit')) return refuse(new Map())
  const { decision, door, from, to } = parsed.values
  if (from !== null && to !== null && to <= from)
    return refuse(new Map([['to', { say: ({ doors: texts }) => texts.endsBefore }]]))
  return {
    decision,
    ...(caseId !== null && { caseId }),
    ...(door !== ALL && { deviceId: door }),
    ...(from !== null && { from }),
    ...(to !== null && { to }),
  }
}

/** Leads to the page that says what would happen. The form itself does nothing. */
export function ChooseScans({ doors, request }: { doors: readonly Door[]; request: EventRequest }) {
  const { event, voice, query } = request
  const { texts } = voice
  const chosen = readChosen(doors, request)
  if (!('state' in chosen)) return null
  const { state } = chosen
  const isOfConflicts = query.get('show') === 'conflict' || query.get('decision') === 'seen'
  const show = isOfConflicts ? 'conflict' : 'held'
  return (
    <form method="get" action={paths.decideScans(event.id)} class="form" novalidate>
      <ErrorSummary state={state} texts={texts} />
      <input type="hidden" name="show" value={show} />
      {isOfConflicts && <input type="hidden" name="decision" value="seen" />}
      <FieldRows
        state={state}
        texts={texts}
        names={isOfConflicts ? ['door', 'from', 'to'] : ['decision', 'door', 'from', 'to']}
      />
      <div class="end-bar">
        <button type="submit" class="button main">
          {texts.doors.lookFirst}
        </button>
        <a class="button plain" href={withQuery(paths.scans(event.id), { show })}>
          {texts.page.leave}
        </a>
      </div>
    </form>
  )
}
