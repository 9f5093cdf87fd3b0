import { type DecisionPreview, previewDecision, tellDecision } from '../../abstracts/mails.ts'
import { type BriefAbstract, getBriefly } from '../../abstracts/of-event.ts'
import * as abstracts from '../../abstracts/rules.ts'
import { type Decision, decisions, MAX_NOTE } from '../../abstracts/schemas.ts'
import { abstractStatuses } from '../../abstracts/states.ts'
import { record } from '../../access-log/rules.ts'
import { Problem } from '../../problem.ts'
import { ButtonLink, Empty, Head } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import { areaField } from '../../web/forms/field.ts'
import type { FormState } from '../../web/forms/form.ts'
import { FieldRows, Form } from '../../web/forms/form-view.tsx'
import { withQuery } from '../../web/link.ts'
import { readAbstractQuery } from '../abstract-query.ts'
import { AbstractStatus } from '../abstract-status.tsx'
import { actorOf, type OfEvent } from '../asked.ts'
import { MailPreview, tellField } from '../decision-mail.tsx'
import { formPage } from '../form-page.ts'
import { paths } from '../paths.ts'
import { PER_PAGE } from './abstracts.tsx'

interface Loaded {
  decision: Decision['decision']
  rows: readonly BriefAbstract[]
}

const fields = {
  note: areaField(MAX_NOTE, 4, {
    label: texts => texts.abstracts.manyNote,
    help: texts => texts.abstracts.noteHelp,
  }),
  tell: tellField,
}

type Preview = { preview: DecisionPreview | undefined }

/** Those that are not in the state already. */
function toDecide({ decision, rows }: Loaded): BriefAbstract[] {
  return rows.filter(({ status }) => status !== decision)
}

/** A page that asks whether to decide the abstracts that were ticked in the list: its address names them. */
export const decideAbstracts = formPage('event', {
  path: '/e/{event}/abstracts/decide',
  permission: 'abstracts',
  load: async (tx, { account, event, query, user }, { mail }): Promise<Loaded & Preview> => {
    const decision = decisions.find(each => each === query.get('decision'))
    const ids = new Set(query.getAll('id'))
    if (ids.size > PER_PAGE) throw new Problem('not_found')
    if (decision === undefined) return { decision: 'in_review', rows: [], preview: undefined }
    const rows: BriefAbstract[] = []
    for (const id of ids) rows.push(await getBriefly(tx, account.id, event.id, id))
    const [first] = toDecide({ decision, rows })
    if (!mail.isSetUp || decision === 'in_review' || first === undefined)
      return { decision, rows, preview: undefined }
    const abstract = await abstracts.get(tx, account.id, first.id)
    const preview = await previewDecision(tx, account.id, abstract, decision, user.language)
    return { decision, rows, preview }
  },
  fields: ({ preview }) => {
    const { tell: _, ...silent } = fields
    return preview === undefined ? (silent as typeof fields) : fields
  },
  initial: () => ({ tell: true }),
  seen: ({ rows }) => rows.map(({ id, status }) => `${id} ${status}`).join(),
  view: (loaded, asked, state) => {
    const { abstracts: texts } = asked.voice.texts
    const count = toDecide(loaded).length
    const title =
      loaded.rows.length === 0
        ? texts.manyNoneTicked
        : count === 0
          ? texts.manyNothing
          : texts.manyTitle[loaded.decision](count)
    return { title, body: <Confirm {...loaded} title={title} asked={asked} state={state} /> }
  },
  act: async (tx, asked, { values, loaded }) => {
    const { account, user } = asked
    const { decision } = loaded
    const { accountId: _, ...by } = actorOf(asked)
    const decided = toDecide(loaded)
    for (const { id } of decided) {
      const note = values.note ?? undefined
      const { resource } = await abstracts.decide(tx, account.id, id, { decision, note })
      if (values.tell) await tellDecision(tx, account.id, resource, user.language)
      const entry = { action: 'abstract.decide', targetType: 'abstract', targetId: id, details: { decision } }
      await record(tx, account.id, { ...by, ...entry })
    }
    return { decision, count: decided.length }
  },
  // Each of them has its own.
  entry: () => ({ action: 'abstract.decide', targetType: 'abstract', hasChanged: () => false }),
  next: ({ decision, count }, asked) => ({
    path: listOf(asked),
    flash: flash('abstractsDecided', { decision, count }),
  }),
})

/** The list that it was opened from. */
function listOf(asked: OfEvent): string {
  return withQuery(paths.abstracts(asked.event.id), readAbstractQuery(asked).query)
}

function Confirm({
  title,
  asked,
  state,
  ...loaded
}: Loaded & Preview & { title: string; asked: OfEvent; state: FormState }) {
  const { event, voice } = asked
  const { texts } = voice
  const { rows, decision, preview } = loaded
  const count = toDecide(loaded).length
  const back = listOf(asked)
  if (count === 0) {
    const { manyNoneTickedAbout, manyNothingAbout, toList } = texts.abstracts
    return (
      <>
        <Head title={texts.abstracts.title} />
        <Empty icon="paper" title={title} action={<ButtonLink href={back}>{toList}</ButtonLink>}>
          {rows.length === 0 ? manyNoneTickedAbout : manyNothingAbout}
        </Empty>
      </>
    )
  }
  return (
    <>
      <Head title={title} crumbs={<a href={back}>{texts.abstracts.title}</a>} />
      <div class="card">
        <Form
          state={state}
          texts={texts}
          action={`${paths.decideAbstracts(event.id)}?${asked.query}`}
          submit={texts.abstracts.manySubmit[decision](count)}
          leave={back}
        >
          <Will {...loaded} asked={asked} />
          <FieldRows state={state} texts={texts} />
          {preview !== undefined && (
            <>
              <p class="help">{texts.abstracts.manyMailed(count)}</p>
              <MailPreview preview={preview} summary={texts.abstracts.manyMail} texts={texts} />
            </>
          )}
        </Form>
      </div>
    </>
  )
}

/** What will happen, and to which. */
function Will({ rows, decision, asked }: Loaded & { asked: OfEvent }) {
  const { texts } = asked.voice
  const { manyFrom, manyStay, manyTold, manyWhich } = texts.abstracts
  const counts = abstractStatuses
    .map(status => ({ status, count: rows.filter(row => row.status === status).length }))
    .filter(({ count }) => count > 0)
  return (
    <>
      <ul class="will">
        {counts.map(({ status, count }) => (
          <li key={status}>{status === decision ? manyStay(count) : manyFrom[status](count)}</li>
        ))}
        <li>{manyTold}</li>
      </ul>
      <details open={rows.length <= 5}>
        <summary>{manyWhich}</summary>
        <ul class="named">
          {rows.map(({ id, code, title, status }) => (
            <li key={id}>
              <bdi class="quiet">{code}</bdi> <bdi>{title}</bdi>{' '}
              <AbstractStatus status={status} texts={texts} />
            </li>
          ))}
        </ul>
      </details>
    </>
  )
}
