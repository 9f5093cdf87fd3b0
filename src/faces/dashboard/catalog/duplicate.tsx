import { formPage } from '#faces/dashboard/frame/form-page.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { flash } from '#machinery/web/flash.ts'
import { optionalTextField, textField, timeField } from '#machinery/web/forms/field.ts'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as codes from '#product/catalog/codes/rules.ts'
import { eventFields } from '#product/catalog/events/schemas.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import * as duplication from '#product/data-care/duplication/rules.ts'
import * as questions from '#product/guests/questions/rules.ts'
import * as calls from '#product/programme/calls/rules.ts'
import { addressBefore } from './event-form.tsx'

/** @param address the address of the copy's page up to its name */
function fieldsOf(address: string, { event: { starts_at, timezone } }: EventRequest) {
  return {
    title: textField(eventFields.title, {
      label: texts => texts.events.name,
      help: texts => texts.tickets.duplicateTitleHelp,
    }),
    slug: optionalTextField(eventFields.slug, {
      label: texts => texts.events.slug,
      help: texts => texts.tickets.duplicateSlugHelp,
      control: { kind: 'input', type: 'text', before: address },
    }),
    starts_at: timeField({
      label: texts => texts.tickets.duplicateStarts,
      help: ({ tickets }) =>
        starts_at === null ? tickets.duplicateOpen(timezone) : tickets.duplicateStartsHelp(timezone),
    }),
  }
}

export const duplicateEvent = formPage('event', {
  path: '/e/{event}/duplicate',
  belongsTo: '/e/{event}',
  permission: 'events.edit',
  isOfAllEvents: true,
  keepsTyped: true,
  load: async (tx, { event }, { baseUrl }) => ({
    address: addressBefore(baseUrl, (await accounts.getDetails(tx)).slug),
    types: (await registrationTypes.listDetails(tx, event.id)).length,
    pools: (await registrationTypes.listPools(tx, event.id)).length,
    questions: (await questions.listAll(tx, event.id)).filter(({ retired }) => !retired).length,
    codes: await codes.count(tx, event.id),
    hasCall: (await calls.find(tx, event.id)) !== undefined,
  }),
  fields: ({ address }, request) => fieldsOf(address, request),
  initial: (_, { event: { title } }) => ({ title }),
  parts: (loaded, { event, voice }) => {
    const { tickets: texts } = voice.texts
    return {
      ...{ title: texts.duplicateTitle, submit: texts.duplicateSubmit, leave: paths.event(event.id) },
      more: (
        <section class="card stack" aria-labelledby="copied">
          <h2 id="copied">{texts.copied}</h2>
          <ul class="will">
            <li>{texts.copiedTypes(loaded.types)}</li>
            {loaded.pools > 0 && <li>{texts.copiedPools(loaded.pools)}</li>}
            {loaded.questions > 0 && <li>{texts.copiedQuestions(loaded.questions)}</li>}
            {loaded.codes > 0 && <li>{texts.copiedCodes(loaded.codes)}</li>}
            {loaded.hasCall && <li>{texts.copiedCall}</li>}
            <li>{texts.copiedRest}</li>
          </ul>
          <p class="quiet">{texts.notCopied}</p>
        </section>
      ),
    }
  },
  act: (tx, { event }, { values: { title, slug, starts_at } }) =>
    duplication.duplicateEvent(tx, event.id, {
      title,
      starts_at,
      ...(slug === null ? {} : { slug }),
    }),
  entry: ({ event }) => ({
    action: 'event.duplicate',
    targetType: 'event',
    targetOf: ({ id }) => id,
    details: () => ({ from: event.id }),
  }),
  next: ({ id, title }) => ({ path: paths.event(id), flash: flash('eventDuplicated', { title }) }),
})
