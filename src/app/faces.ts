import type { Logger } from 'pino'
import { publicPages } from '../api/description/describe.ts'
import { apiFace } from '../api/pipeline.ts'
import { routes } from '../api/routes.ts'
import type { Config } from '../config.ts'
import type { Services } from '../dashboard/asked.ts'
import { dashboardFace } from '../dashboard/face.ts'
import type { MailService } from '../dashboard/mail-service.ts'
import { pages } from '../dashboard/routes.ts'
import type { SystemService } from '../dashboard/system-service.ts'
import { Cursors } from '../db/cursors.ts'
import type { Instance } from '../db/instance.ts'
import type { Database } from '../db/port.ts'
import { doorFace } from '../door/face.ts'
import { ExactCounts } from '../figures/exact.ts'
import { InsideCounts } from '../figures/inside.ts'
import { AddressLimit } from '../http/address-limit.ts'
import { addressGroup, clientAddressFinder } from '../http/client-address.ts'
import type { LocalCa } from '../http/local-ca/kept.ts'
import { MemoryBudget } from '../http/memory-budget.ts'
import type { RequestObserver } from '../http/observer.ts'
import type { Service } from '../http/server.ts'
import { buildSite } from '../http/site.ts'
import type { HealthService } from '../ops/health.ts'
import { healthFace } from '../ops/health-face.ts'
import { InstanceWatch, type InstanceWatchOptions } from '../ops/instance-needs.ts'
import { offersWith } from '../orders/offers.ts'
import type { Paying } from '../payments/reconciler.ts'
import type { StripeService } from '../payments/stripe/stripe.ts'
import { payableBy } from '../payments/ways.ts'
import { offerBy } from '../registration-types/rules.ts'
import { MonthlyReports } from '../reports/monthly-reports.ts'
import { storefrontFace } from '../storefront/face.ts'
import { orderFaces } from '../storefront/order-faces.ts'
import type { Clock } from '../time.ts'
import { trustFace } from '../trust/face.tsx'
import { unsubscribeFace } from '../unsubscribe/face.tsx'
import { Forgotten } from '../users/forgotten.ts'
import { SignIn } from '../users/sign-in.ts'
import { assetsFace } from '../web/assets/face.ts'
import { Cookies } from '../web/cookies.ts'
import { Flashes } from '../web/flash.ts'
import { Signed } from '../web/signed.ts'
import { Uploads } from '../web/uploads.ts'
import { doorOnly } from './door-only.ts'

/** What the faces are made of. */
export interface Foundations extends Omit<InstanceWatchOptions, 'data'> {
  config: Config
  clock: Clock
  log: Logger
  /** The address that the server listens on. */
  url: string
  db: Database
  instance: Instance
  health: HealthService
  system: SystemService
  mail: MailService
  payments: Paying
  stripe: StripeService
  memory: MemoryBudget | undefined
  observe: RequestObserver | undefined
  localCa: LocalCa | undefined
}

/** Mounts each face at its path. */
export function mountFaces(foundations: Foundations): Service {
  offerBy(offersWith(payableBy(foundations.payments.processors)))
  const { config, clock, log, url, db, instance, health, observe } = foundations
  const clientAddress = clientAddressFinder(config.trustProxy)
  const addresses = new AddressLimit({ clock, clientAddress })
  const memory = foundations.memory ?? new MemoryBudget()
  const cursors = new Cursors(instance.cursor_secret)
  const api = { db, clock, log, cursors, memory, clientAddress, addresses }
  const ofPages = toPages(foundations)
  const { cookies, signed, baseUrl, secret } = ofPages
  const store = {
    ...{ db, clock, clientAddress, addresses, memory, cookies, signed, baseUrl, secret },
    ...{ payments: foundations.payments, stripe: foundations.stripe },
    orderLimit: new AddressLimit({ clock, clientAddress, most: config.orderRate }),
  }
  const { localCa: ca } = foundations
  const faces = [
    apiFace(api, routes, publicPages(config.baseUrl, url)),
    dashboardFace({ ...api, ...ofPages }, pages),
    assetsFace(addresses),
    storefrontFace(store),
    ...orderFaces(store),
    doorFace(api),
    unsubscribeFace({ db, secret: instance.cursor_secret, addresses }),
    healthFace({ clock, clientAddress, ...health }),
    ...(ca === undefined ? [] : [trustFace({ ca, baseUrl, addresses })]),
  ]
  return buildSite({ log, addresses, observe }, config.doorOnly ? doorOnly(faces, addresses) : faces)
}

type OfPages = Omit<Services, 'db' | 'clock' | 'log' | 'cursors' | 'memory' | 'clientAddress' | 'addresses'>

function toPages(foundations: Foundations): OfPages {
  const { config, clock, log, url, db, instance, mail, system, stripe } = foundations
  const { baseUrl = url, allowInsecureWebhooks } = config
  const secret = instance.cursor_secret
  const cookies = new Cookies(baseUrl.startsWith('https:'))
  const signed = new Signed(secret, clock)
  const flashes = new Flashes(cookies, signed)
  const signIn = new SignIn({ db, clock, secret, addressGroup })
  const forgotten = new Forgotten({ db, clock, addressGroup })
  const instanceWatch = new InstanceWatch({ ...foundations, data: config.data, isDoorOnly: config.doorOnly })
  const inside = new InsideCounts()
  const exactCounts = new ExactCounts()
  const uploads = new Uploads(config.data, log)
  const monthlyReports = new MonthlyReports(db, error =>
    log.warn({ err: error }, 'a month was not summed up'),
  )
  const own = { cookies, signed, flashes, signIn, forgotten, baseUrl, secret, allowInsecureWebhooks }
  return { ...own, mail, instanceWatch, inside, exactCounts, uploads, monthlyReports, system, stripe }
}
