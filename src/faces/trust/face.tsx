import type { AddressLimit } from '#machinery/http/address-limit.ts'
import type { Context, Face, Stage, State } from '#machinery/http/face.ts'
import type { LocalCa } from '#machinery/http/local-ca/kept.ts'
import { redirectRoute } from '#machinery/http/redirect.ts'
import { bodyOf } from '#machinery/http/sending.ts'
import { answerPage } from '#machinery/web/answer-page.ts'
import { chooseLanguage } from '#texts/languages.ts'
import { profileOf } from './profile.ts'
import { TrustPage } from './trust-page.tsx'

export const TRUST_PATH = '/trust'

export interface TrustServices {
  ca: LocalCa
  /** The scanner has this address, which works once the phone trusts the CA. */
  baseUrl: string
  addresses: AddressLimit
}

/** Serves the server's own CA to the phones at the door: what it is, how to install it, and the certificate itself. */
export function trustFace({ ca, baseUrl, addresses }: TrustServices): Face<State> {
  const route = (path: string, answer: Stage) => ({
    method: 'GET' as const,
    path,
    stages: [addresses.stage, answer],
  })
  return {
    path: TRUST_PATH,
    isForPeople: true,
    routes: [
      route('', async context => {
        const language = chooseLanguage(context.acceptsLanguages.bind(context))
        await answerPage(context, 200, <TrustPage language={language} ca={ca} baseUrl={baseUrl} />)
      }),
      route('/turnout.crt', async context => {
        // A phone that opened the certificate at once would only say that it belongs in the settings.
        context.set('Content-Disposition', 'attachment; filename="turnout.crt"')
        send(context, 'application/x-x509-ca-cert', ca.der)
      }),
      // iOS takes the file as a profile only if it is not a download.
      route('/turnout.mobileconfig', async context => {
        send(context, 'application/x-apple-aspen-config', Buffer.from(profileOf(ca)))
      }),
    ],
  }
}

/** Redirects a visitor who leaves out the page's name. */
export function trustEntry(addresses: AddressLimit): Face<State> {
  return { path: '', isForPeople: true, routes: [redirectRoute('/', TRUST_PATH.slice(1), addresses)] }
}

function send(context: Context, type: string, bytes: Buffer): void {
  context.set('Cache-Control', 'no-store')
  context.body = bodyOf(context.res, bytes)
  context.set('Content-Type', type)
  context.length = bytes.length
}
