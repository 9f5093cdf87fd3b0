import { button } from '#faces/dashboard/frame/button.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { Facts, Pill, PostButton } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { withQuery } from '#machinery/web/link.ts'
import { getOfEvent } from '#product/programme/abstracts/of-event.ts'
import type { SubmittedAbstract } from '#product/programme/abstracts/submitted.ts'
import { type AfterDecision, readAfter } from '#product/programme/decisions/author-view.ts'
import { confirm, unconfirm } from '#product/programme/decisions/confirming.ts'
import { addressOf, readAbstractQuery } from './abstract-query.ts'

/** What the page of an abstract shows of what its authors do after the decision. */
export interface After {
  after: AfterDecision | undefined
}

export async function readAfterOf(tx: ReadTx, abstract: SubmittedAbstract): Promise<After> {
  return { after: await readAfter(tx, abstract) }
}

/** Shows whether the authors of an accepted abstract come, and on which days they cannot. */
export function AfterCard({
  after,
  abstract,
  request,
}: After & { abstract: SubmittedAbstract; request: EventRequest }) {
  const { format, texts } = request.voice
  const { afterDecision: labels } = texts
  if (after === undefined) return null
  const isAccepted = abstract.status === 'accepted'
  const { code, comments, unavailable } = after
  if (!isAccepted && comments.length === 0 && unavailable.length === 0) return null
  const facts = [
    [labels.codeGiven, code && (code.isUsed ? labels.codeIsUsed(code.code) : code.code)],
    [
      labels.notOn,
      unavailable.length === 0 ? undefined : format.list(unavailable.map(day => format.day(day))),
    ],
  ] as const
  const known = facts.filter(([, value]) => value !== undefined)
  return (
    <section class="card stack" aria-labelledby="after">
      <h2 id="after">{labels.title}</h2>
      {isAccepted && <Confirmation after={after} abstract={abstract} request={request} />}
      {known.length > 0 && (
        <Facts facts={known.map(([name, value]) => [name, <bdi key={name}>{value}</bdi>])} />
      )}
      {comments.length > 0 && <p class="quiet">{labels.commentsTold(comments.length)}</p>}
    </section>
  )
}

function Confirmation({
  after: { confirmed_at, confirm_by },
  abstract,
  request,
}: {
  after: AfterDecision
  abstract: SubmittedAbstract
  request: EventRequest
}) {
  const { event, voice } = request
  const { format } = voice
  const { afterDecision: labels } = voice.texts
  const address = (what: 'confirm' | 'unconfirm') =>
    withQuery(paths.confirmAbstract(event.id, abstract.id, what), readAbstractQuery(request).query)
  if (confirmed_at !== null)
    return (
      <>
        <p>
          <Pill tone="good">{labels.confirmedOn(format.dateTime(confirmed_at))}</Pill>
        </p>
        <PostButton action={address('unconfirm')} tone="plain">
          {labels.unconfirm}
        </PostButton>
      </>
    )
  return (
    <>
      <p>
        <Pill tone="warn">{labels.notConfirmed}</Pill>
      </p>
      <p class="quiet">
        {confirm_by === null ? labels.notAsked : labels.askedUntil(format.dateTime(confirm_by))}
      </p>
      <PostButton action={address('confirm')}>{labels.confirmFor}</PostButton>
    </>
  )
}

/** Confirms in place of the authors. */
export const confirmAbstract = button('event', {
  path: '/e/{event}/abstracts/{abstract}/confirm',
  permission: 'abstracts',
  act: async (tx, { event, params }) =>
    confirm(tx, (await getOfEvent(tx, event.id, params.abstract ?? '')).id),
  entry: ({ params }) => ({
    ...{ action: 'abstract.confirm', targetType: 'abstract', targetId: params.abstract },
    hasChanged: abstract => abstract !== undefined,
  }),
  next: (abstract, request) => ({
    path: addressOf(request),
    flash: abstract && flash('abstractConfirmed', { title: abstract.title }),
  }),
  back: request => addressOf(request),
})

/** Takes a confirmation back. */
export const unconfirmAbstract = button('event', {
  path: '/e/{event}/abstracts/{abstract}/unconfirm',
  permission: 'abstracts',
  act: async (tx, { event, params }) =>
    unconfirm(tx, (await getOfEvent(tx, event.id, params.abstract ?? '')).id),
  entry: ({ params }) => ({
    ...{ action: 'abstract.unconfirm', targetType: 'abstract', targetId: params.abstract },
    hasChanged: abstract => abstract !== undefined,
  }),
  next: (abstract, request) => ({
    path: addressOf(request),
    flash: abstract && flash('abstractUnconfirmed', { title: abstract.title }),
  }),
  back: request => addressOf(request),
})
