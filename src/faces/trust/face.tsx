import type { AddressLimit } from '../http/address-limit.ts'
import type { Context, Face, Stage, State } from '../http/face.ts'
import { leadingTo } from '../http/leading.ts'
import type { LocalCa } from '../http/local-ca/kept.ts'
import { bodyOf } from '../http/sending.ts'
import { answerPage } from '../web/answer-page.ts'
import { chooseLanguage } from '../web/texts/languages.ts'
import { profileOf } from './profile.ts'
import { TrustPage } from './trust-page.tsx'

export const TRUST_PATH = '/trust'

export interface TrustServices {
  ca: LocalCa
  /** Where the scanner is, once the phone trusts it. */
  baseUrl: string
  addresses: AddressLimit
}

/** The server's own CA, for the phones at the door: what it is, how it is installed, and the certificate itself. */
export function trustFace({ ca, baseUrl, addresses }: TrustServices): Face<State> {
  const route = (path: string, answer: Stage) => ({
    method: 'GET' as const,
    path,
    stages: [addresses.stage, answer],
  })
  return {
    path: TRUST_PATH,
    routes: [
      route('', async context => {
        const language = chooseLanguage(context.acceptsLanguages.bind(context))
        await answerPage(context, 200, <TrustPage language={language} ca={ca} baseUrl={baseUrl} />)
      }),
      route('/turnout.crt', async context => {
        // A phone that opened it at once would say no more than that it belongs into the settings.
        context.set('Content-Disposition', 'attachment; filename="turnout.crt"')
        send(context, 'application/x-x509-ca-cert', ca.der)
      }),
      // iOS takes it as a profile only where it is no download.
      route('/turnout.mobileconfig', async context => {
        send(context, 'application/x-apple-aspen-config', Buffer.from(profileOf(ca)))
      }),
    ],
  }
}

/** For whoever leaves out the page's name. */
export function trustEntry(addresses: AddressLimit): Face<State> {
  return { path: '', routes: [leadingTo('/', TRUST_PATH.slice(1), addresses)] }
}

function send(context: Context, type: string, bytes: Buffer): void {
  context.set('Cache-Control', 'no-store')
  context.body = bodyOf(context.res, bytes)
  context.set('Content-Type', type)
  context.length = bytes.length
}
