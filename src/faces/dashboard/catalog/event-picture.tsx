import { recordedWrite } from '../../access-log/recorded-write.ts'
import * as pictures from '../../events/pictures.ts'
import { type Fault, makeFault, tell } from '../../faults.ts'
import { statusOf } from '../../http/errors.ts'
import { Problem } from '../../problem.ts'
import { Head } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import { fileField } from '../../web/forms/field.ts'
import { type FormState, newForm } from '../../web/forms/form.ts'
import { Form } from '../../web/forms/form-view.tsx'
import { actorOf, type OfEvent, scaleOf } from '../asked.ts'
import { button } from '../button.ts'
import type { Context } from '../context.ts'
import { goTo } from '../destination.ts'
import type { PageAt } from '../page.ts'
import { paths } from '../paths.ts'
import { placeProblem, problemOfForm } from '../refused-form.ts'
import { answerView } from '../show.tsx'

const fields = {
  picture: fileField('image/png,image/jpeg,image/webp', {
    label: texts => texts.eventPage.file,
    help: texts => texts.eventPage.fileHelp,
  }),
}

const PAGE = { level: 'event', path: '/e/{event}/page/picture' } as const

/** Takes the picture of an event, by what its bytes say of it. */
export const uploadPicture: PageAt<'event'> = {
  ...PAGE,
  permission: 'events.edit',
  takesFile: true,
  get: (_, context, asked) => show(context, asked, newForm(fields, scaleOf(asked))),
  post: async (services, context, asked) => {
    const { account, event, user } = asked
    try {
      const options = { userId: user.id, max: pictures.MAX_PICTURE_BYTES }
      const picture = await services.uploads.take(context.req, options, async ({ file }) => {
        if (file === undefined) throw refusal(makeFault('required'))
        return pictures.examine(await file.read(0, file.size))
      })
      await context.state.admitAgain()
      await recordedWrite(
        services.db,
        actorOf(asked),
        tx => pictures.put(tx, account.id, event.id, picture),
        { action: 'event.picture', targetType: 'event', targetId: event.id },
      )
      goTo(services, context, { path: paths.eventPage(event.id), flash: flash('pictureSaved', {}) })
    } catch (error) {
      const problem = tooLarge(problemOfForm(error))
      context.state.problem = problem
      const state = { ...newForm(fields, scaleOf(asked)), ...placeProblem(fields, problem) }
      await show(context, asked, state, statusOf(problem))
    }
  },
}

function refusal(fault: Fault): Problem {
  const message = tell('picture', fault)
  return new Problem('invalid_parameter', { param: 'picture', message, details: { fault } })
}

/** What is refused before it was read is too large as well. */
function tooLarge(problem: Problem): Problem {
  return problem.code === 'payload_too_large'
    ? refusal(makeFault('pictureTooHeavy', { max: pictures.MAX_PICTURE_BYTES }))
    : problem
}

async function show(context: Context, asked: OfEvent, state: FormState, status = 200): Promise<void> {
  const { event, voice } = asked
  const { eventPage: texts } = voice.texts
  await answerView(context, PAGE, asked, {
    title: texts.picture,
    status,
    body: (
      <>
        <Head
          title={texts.picture}
          crumbs={<a href={paths.eventPage(event.id)}>{texts.title}</a>}
          about={texts.pictureAbout}
        />
        <div class="card">
          <Form
            state={state}
            texts={voice.texts}
            action={paths.eventPicture(event.id)}
            submit={texts.upload}
            leave={paths.eventPage(event.id)}
            isGuarded={false}
          />
        </div>
      </>
    ),
  })
}

export const removePicture = button('event', {
  path: '/e/{event}/page/picture/remove',
  permission: 'events.edit',
  act: (tx, { account, event }) => pictures.remove(tx, account.id, event.id),
  entry: ({ event }) => ({ action: 'event.picture_remove', targetType: 'event', targetId: event.id }),
  next: (_, { event }) => ({ path: paths.eventPage(event.id), flash: flash('pictureRemoved', {}) }),
  back: ({ event }) => paths.eventPage(event.id),
})
