import { isUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { removal } from '#faces/dashboard/frame/form-parts.tsx'
import type { AccountRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { ButtonLink, PostButton } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { textField } from '#machinery/web/forms/field.ts'
import * as events from '#product/catalog/events/rules.ts'
import { type EventDetails, eventFields } from '#product/catalog/events/schemas.ts'
import {
  type DeletionForecast,
  deleteEvent as deleteForGood,
  forecastDeletion,
  MOST_COUNTED,
} from '#product/data-care/deletion/rules.ts'
import type { Texts } from '#texts/texts.ts'

interface Loaded extends DeletionForecast {
  event: EventDetails
}

/**
 * Asks before it deletes an event with all that it has, or says why that is impossible. It is a page of the organization, since
 * the form may be sent again when the event is gone.
 */
export const deleteEvent = formPage('account', {
  path: '/a/{account}/events/{event}/delete',
  belongsTo: '/a/{account}',
  permission: 'events.delete',
  load: readEvent,
  fields: ({ event: { title } }) => ({
    title: textField(eventFields.title, {
      label: texts => texts.deletion.typeName,
      help: texts => texts.deletion.typeNameHelp(title),
    }),
  }),
  preview: ({ event, gone }) => [event.title, ...Object.values(gone)].join(' '),
  parts: ({ event, gone, refusals }, { voice: { texts } }) => {
    const { deletion: labels } = texts
    const path = paths.event(event.id)
    const isRefused = refusals.length > 0
    const isArchived = event.archived_at !== null
    return removal({
      keeps: 'event',
      title: isRefused ? labels.cannot(event.title) : labels.title(event.title),
      crumbs: (
        <a href={path}>
          <bdi>{event.title}</bdi>
        </a>
      ),
      submit: labels.submit,
      leave: path,
      above: (
        <>
          <p>
            {labels.forGood} {labels.elsewhere}
          </p>
          <p>{labels.goes}</p>
        </>
      ),
      will: tellGone(gone, texts),
      refusal: isRefused
        ? {
            because: [
              ...refusals.map(reason => tellReason(reason, texts)),
              isArchived ? labels.isArchived : labels.instead,
            ],
            instead: isArchived ? (
              <ButtonLink href={path}>{texts.page.back}</ButtonLink>
            ) : (
              <PostButton action={paths.archiveEvent(event.id)}>{texts.overview.archive}</PostButton>
            ),
          }
        : undefined,
    })
  },
  act: (tx, { user }, { values, loaded: { event } }) =>
    deleteForGood(tx, event.id, { typed: values.title, by: `user:${user.id}` }),
  entry: ({ params }) => ({
    action: 'event.delete',
    targetType: 'event',
    targetId: params.event,
    details: (_, done) => (done === undefined ? {} : { title: done.event.title, ...done.gone }),
  }),
  next: ({ event: { title }, isUnderWay }, { account }) => ({
    path: paths.events(account.id),
    flash: flash(isUnderWay ? 'eventDeleting' : 'eventDeleted', { title }),
  }),
})

/** @throws Problem not_found */
async function readEvent(tx: ReadTx, { params: { event: id = '' } }: AccountRequest): Promise<Loaded> {
  if (!isUuid(id)) throw new Problem('not_found')
  return { event: await events.getDetails(tx, id), ...(await forecastDeletion(tx, id)) }
}

/** Says what goes, without what there is none of. */
function tellGone(gone: DeletionForecast['gone'], { deletion }: Texts): string[] {
  const sentences = Object.entries(deletion.gone).flatMap(([what, tell]) => {
    const count = gone[what as keyof typeof gone]
    if (count === 0) return []
    return [count < MOST_COUNTED ? tell(count) : deletion.atLeast(tell(count))]
  })
  return [...sentences, deletion.page]
}

function tellReason(reason: DeletionForecast['refusals'][number], { problems }: Texts): string {
  const text = problems.reasons[reason]
  return typeof text === 'string' ? text : ''
}
