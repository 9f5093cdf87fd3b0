import { type Fault, makeFault, tell } from '#base/faults.ts'
import { Problem } from '#base/problem.ts'
import { button } from '#faces/dashboard/frame/button.ts'
import type { Context } from '#faces/dashboard/frame/context.ts'
import { goTo } from '#faces/dashboard/frame/destination.ts'
import type { PageAt } from '#faces/dashboard/frame/page.ts'
import { actorOf, type EventRequest, scaleOf } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { placeProblem, problemOfForm } from '#faces/dashboard/frame/refused-form.ts'
import { answerView } from '#faces/dashboard/frame/show.tsx'
import { statusOf } from '#machinery/http/errors.ts'
import { Head } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { fileField } from '#machinery/web/forms/field.ts'
import { type FormState, newForm } from '#machinery/web/forms/form.ts'
import { Form } from '#machinery/web/forms/form-view.tsx'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import * as pictures from '#product/catalog/events/pictures.ts'

const fields = {
  picture: fileField('image/png,image/jpeg,image/webp', {
    label: texts => texts.eventPage.file,
    help: texts => texts.eventPage.fileHelp,
  }),
}

const PAGE = { level: 'event', path: '/e/{event}/settings/page/picture' } as const

/** Takes the picture of an event. The bytes decide its format. */
export const uploadPicture: PageAt<'event'> = {
  ...PAGE,
  permission: 'events.edit',
  takesFile: true,
  get: (_, context, request) => show(context, request, newForm(fields, scaleOf(request))),
  post: async (services, context, request) => {
    const { event, user } = request
    try {
      const options = { sender: user.id, max: pictures.MAX_PICTURE_BYTES }
      const picture = await services.uploads.take(context.req, options, async ({ file }) => {
        if (file === undefined) throw refusal(makeFault('required'))
        return pictures.examine(await file.read(0, file.size))
      })
      await context.state.admitAgain()
      await recordedWrite(services.db, actorOf(request), tx => pictures.put(tx, event.id, picture), {
        action: 'event.picture',
        targetType: 'event',
        targetId: event.id,
      })
      goTo(services, context, {
        path: paths.eventSettings(event.id, 'page'),
        flash: flash('pictureSaved', {}),
      })
    } catch (error) {
      const problem = tooLarge(problemOfForm(error))
      context.state.problem = problem
      const state = { ...newForm(fields, scaleOf(request)), ...placeProblem(fields, problem) }
      await show(context, request, state, statusOf(problem))
    }
  },
}

function refusal(fault: Fault): Problem {
  const message = tell('picture', fault)
  return new Problem('invalid_parameter', { param: 'picture', message, details: { fault } })
}

/** Turns an upload that was refused for its size before it was read into the same fault of the field. */
function tooLarge(problem: Problem): Problem {
  return problem.code === 'payload_too_large'
    ? refusal(makeFault('pictureTooHeavy', { max: pictures.MAX_PICTURE_BYTES }))
    : problem
}

async function show(context: Context, request: EventRequest, state: FormState, status = 200): Promise<void> {
  const { event, voice } = request
  const { eventPage: texts } = voice.texts
  await answerView(context, PAGE, request, {
    title: texts.picture,
    status,
    body: (
      <>
        <Head
          title={texts.picture}
          crumbs={<a href={paths.eventSettings(event.id, 'page')}>{voice.texts.eventSettings.topics.page}</a>}
          about={texts.pictureAbout}
        />
        <div class="card">
          <Form
            state={state}
            texts={voice.texts}
            action={paths.eventPicture(event.id)}
            submit={texts.upload}
            leave={paths.eventSettings(event.id, 'page')}
            isGuarded={false}
          />
        </div>
      </>
    ),
  })
}

export const removePicture = button('event', {
  path: '/e/{event}/settings/page/picture/remove',
  permission: 'events.edit',
  act: (tx, { event }) => pictures.remove(tx, event.id),
  entry: ({ event }) => ({ action: 'event.picture_remove', targetType: 'event', targetId: event.id }),
  next: (_, { event }) => ({
    path: paths.eventSettings(event.id, 'page'),
    flash: flash('pictureRemoved', {}),
  }),
  back: ({ event }) => paths.eventSettings(event.id, 'page'),
})
