import * as codes from '../../codes/rules.ts'
import * as duplication from '../../duplication/rules.ts'
import { eventFields } from '../../events/schemas.ts'
import * as questions from '../../questions/rules.ts'
import * as registrationTypes from '../../registration-types/rules.ts'
import { Head } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import { optionalTextField, textField, timeField } from '../../web/forms/field.ts'
import { FieldRows, Form } from '../../web/forms/form-view.tsx'
import type { OfEvent } from '../asked.ts'
import { formPage } from '../form-page.ts'
import { paths } from '../paths.ts'

function fieldsOf({ event: { starts_at, timezone } }: OfEvent) {
  return {
    title: textField(eventFields.title, {
      label: texts => texts.events.name,
      help: texts => texts.tickets.duplicateTitleHelp,
    }),
    slug: optionalTextField(eventFields.slug, {
      label: texts => texts.events.slug,
      help: texts => texts.tickets.duplicateSlugHelp,
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
  permission: 'events.edit',
  isOfAllEvents: true,
  load: async (tx, { account, event }) => ({
    types: (await registrationTypes.listDetails(tx, account.id, event.id)).length,
    pools: (await registrationTypes.listPools(tx, account.id, event.id)).length,
    questions: (await questions.list(tx, account.id, event.id)).filter(({ retired }) => !retired).length,
    codes: await codes.count(tx, account.id, event.id),
  }),
  fields: (_, asked) => fieldsOf(asked),
  initial: (_, { event: { title } }) => ({ title }),
  view: (loaded, asked, state) => {
    const { event, voice } = asked
    const { tickets: texts } = voice.texts
    return {
      title: texts.duplicateTitle,
      body: (
        <>
          <Head title={texts.duplicateTitle} />
          <Form
            state={state}
            texts={voice.texts}
            action={paths.duplicateEvent(event.id)}
            submit={texts.duplicateSubmit}
            leave={paths.event(event.id)}
          >
            <FieldRows state={state} texts={voice.texts} />
            <section class="card stack" aria-labelledby="copied">
              <h2 id="copied">{texts.copied}</h2>
              <ul class="will">
                <li>{texts.copiedTypes(loaded.types)}</li>
                {loaded.pools > 0 && <li>{texts.copiedPools(loaded.pools)}</li>}
                {loaded.questions > 0 && <li>{texts.copiedQuestions(loaded.questions)}</li>}
                {loaded.codes > 0 && <li>{texts.copiedCodes(loaded.codes)}</li>}
                <li>{texts.copiedRest}</li>
              </ul>
              <p class="quiet">{texts.notCopied}</p>
            </section>
          </Form>
        </>
      ),
    }
  },
  act: (tx, { account, event }, { values: { title, slug, starts_at } }) =>
    duplication.duplicateEvent(tx, account.id, event.id, {
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
