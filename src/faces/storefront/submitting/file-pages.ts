import { makeFault } from '#base/faults.ts'
import { Problem } from '#base/problem.ts'
import { HOUR } from '#base/time.ts'
import { AddressLimit } from '#machinery/http/address-limit.ts'
import { addressGroup, isLoopback } from '#machinery/http/client-address.ts'
import type { Context } from '#machinery/http/face.ts'
import { answerStrangeFile } from '#machinery/http/strange-file.ts'
import { readerFor } from '#machinery/http/streamed.ts'
import { redirectTo } from '#machinery/web/answer-page.ts'
import type { PassingFile } from '#machinery/web/file-form.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import { record } from '#product/administration/access-log/rules.ts'
import { wrongFile } from '#product/programme/files/receive.ts'
import * as files from '#product/programme/files/rules.ts'
import { PIECE } from '#product/programme/files/schemas.ts'
import * as ofSubmissions from '#product/programme/submissions/files.ts'
import { problemOf } from '../order-visits.ts'
import type { StorefrontServices } from '../storefront-services.ts'
import { inSpeech } from '../voice.ts'
import { FILE_CARD, FROM_EDIT } from './file-card.tsx'
import type { SubmissionPages } from './submission-pages.tsx'
import { type SubmissionView, SubmissionVisits, speakTo } from './submission-view.ts'

/** One address may send this many files an hour. */
const AN_HOUR = 60
const MIB = 1024 * 1024

/** Takes, gives back and removes the file beside an abstract, for whoever has its link. */
export class FilePages {
  readonly #services: StorefrontServices
  readonly #visits: SubmissionVisits
  readonly #pages: SubmissionPages
  readonly #sent: AddressLimit

  constructor(services: StorefrontServices, pages: SubmissionPages) {
    const { clock, clientAddress } = services
    this.#services = services
    this.#visits = new SubmissionVisits(services)
    this.#pages = pages
    this.#sent = new AddressLimit({
      ...{ clock, clientAddress },
      ...{ most: AN_HOUR, window: HOUR, isExempt: isLoopback },
    })
  }

  /** Answers with the file. Its name there is the abstract's, and not what somebody has chosen to call it. */
  async download(context: Context): Promise<void> {
    const { file, sent, submitter } = await this.#visits.find(context)
    if (file === undefined) throw this.#visits.unknown(context)
    const { db, memory, clientAddress, log } = this.#services
    memory.open(context.res, undefined, addressGroup(clientAddress(context.req))).keep('answer', PIECE)
    const pieces = files.read(readerFor(db, context.res), submitter.account_id, file)
    const fileName = `${sent?.abstract.code ?? 'abstract'}.pdf`
    answerStrangeFile(context, { type: 'application/pdf', fileName, size: file.size, pieces }, log)
  }

  /** Takes a file in place of the one before. It counts by when it began to come in. */
  async upload(context: Context): Promise<void> {
    const begunAt = this.#services.clock()
    const view = await this.#visits.find(context)
    try {
      await this.#take(context, view, begunAt)
    } catch (error) {
      // In the last hour of a call, many send files at once: whoever has to wait is told so beside the form.
      const isFull = error instanceof Problem && error.code === 'unavailable'
      return this.#pages.answerFile(context, isFull ? error : problemOf(error), isFromEdit(context))
    }
    this.#goBack(context, view)
  }

  async #take(context: Context, view: SubmissionView, begunAt: number): Promise<void> {
    const { db, uploads, clientAddress } = this.#services
    const { submission, submitter, call } = view
    if (!this.#sent.count(context.req).allowed)
      throw new Problem('rate_limited', { details: { reason: 'files_often' } })
    await db.read(submitter.account_id, tx =>
      ofSubmissions.refuseFile(tx, submission.id, arrivalOf(view, begunAt)),
    )
    const address = clientAddress(context.req)
    // A proxy on this machine may not say which client it asks for.
    const sender = isLoopback(address) ? submission.id : addressGroup(address)
    const max = call.max_file_mib * MIB
    try {
      await uploads.pass(context.req, { sender, max }, async file => {
        if (file === undefined) throw wrongFile(makeFault('required'))
        await this.#attach(context, view, { file, max, begunAt })
      })
    } catch (error) {
      throw error instanceof Problem && error.code === 'payload_too_large' ? tooHeavy(max) : error
    }
  }

  async #attach(
    context: Context,
    view: SubmissionView,
    { file, max, begunAt }: { file: PassingFile; max: number; begunAt: number },
  ): Promise<void> {
    const { submission } = view
    const { accountId, ...actor } = this.#visits.actorOf(context, view)
    await this.#services.files.receive(accountId, {
      ...{ eventId: submission.event_id, submissionId: submission.id, name: file.name },
      bytes: file.bytes,
      limits: { file: max, server: this.#services.filesLimit, isConfirmed: submission.is_confirmed },
      whenAttached: async (tx, attached) => {
        await ofSubmissions.noteFile(tx, submission.id, attached, arrivalOf(view, begunAt))
        const entry = { action: 'abstract.file', targetType: 'submission', targetId: submission.id }
        await record(tx, { ...actor, ...entry })
      },
    })
  }

  async remove(context: Context): Promise<void> {
    const { db, clock } = this.#services
    const begunAt = clock()
    const view = await this.#visits.find(context)
    const { id } = view.submission
    try {
      await recordedWrite(
        db,
        this.#visits.actorOf(context, view),
        tx => ofSubmissions.removeFile(tx, id, arrivalOf(view, begunAt)),
        { action: 'abstract.file_remove', targetType: 'submission', targetId: id },
      )
    } catch (error) {
      return this.#pages.answerFile(context, problemOf(error), isFromEdit(context))
    }
    this.#goBack(context, view)
  }

  #goBack(context: Context, view: SubmissionView): void {
    const page = isFromEdit(context) ? `${view.path}/edit` : view.path
    redirectTo(context, `${inSpeech(speakTo(context, view).speech, page)}#${FILE_CARD}`)
  }
}

/** A file is for what was saved last, which was begun before the end if that was. */
function arrivalOf({ submission }: SubmissionView, begunAt: number): { begunAt: number; shownAt: number } {
  return { begunAt, shownAt: Date.parse(submission.updated_at) }
}

function tooHeavy(max: number): Problem {
  return wrongFile(makeFault('fileTooHeavy', { max }))
}

function isFromEdit(context: Context): boolean {
  return new URLSearchParams(context.querystring).get('from') === FROM_EDIT
}
