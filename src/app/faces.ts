import type { Logger } from 'pino'
import type { Config } from '#base/config.ts'
import type { Clock } from '#base/time.ts'
import { publicPages } from '#faces/api/description/describe.ts'
import { apiFace } from '#faces/api/pipeline.ts'
import { routes } from '#faces/api/routes.ts'
import { dashboardFace } from '#faces/dashboard/frame/face.ts'
import type { Services } from '#faces/dashboard/frame/page-request.ts'
import { pages } from '#faces/dashboard/routes.ts'
import type { MailService } from '#faces/dashboard/system/mail-service.ts'
import type { SystemService } from '#faces/dashboard/system/system-service.ts'
import { doorFace } from '#faces/scanner/face.ts'
import { storefrontFace } from '#faces/storefront/face.ts'
import { orderFaces } from '#faces/storefront/order-faces.ts'
import { reviewFace } from '#faces/storefront/reviewing/review-faces.ts'
import { submissionFaces } from '#faces/storefront/submitting/submission-faces.ts'
import { trustFace } from '#faces/trust/face.tsx'
import { unsubscribeFace } from '#faces/unsubscribe/face.tsx'
import { Cursors } from '#machinery/db/cursors.ts'
import type { Instance } from '#machinery/db/instance.ts'
import type { Database } from '#machinery/db/port.ts'
import { AddressLimit } from '#machinery/http/address-limit.ts'
import { clientAddressFinder, isLoopback, places } from '#machinery/http/client-address.ts'
import type { LocalCa } from '#machinery/http/local-ca/kept.ts'
import { MemoryBudget } from '#machinery/http/memory-budget.ts'
import type { RequestObserver } from '#machinery/http/observer.ts'
import type { Service } from '#machinery/http/server.ts'
import { buildSite } from '#machinery/http/site.ts'
import { strictTransport } from '#machinery/http/strict-transport.ts'
import type { HealthService } from '#machinery/ops/health.ts'
import { healthFace } from '#machinery/ops/health-face.ts'
import { InstanceWatch, type InstanceWatchOptions } from '#machinery/ops/instance-needs.ts'
import { assetsFace } from '#machinery/web/assets/face.ts'
import { Cookies } from '#machinery/web/cookies.ts'
import { Flashes } from '#machinery/web/flash.ts'
import { Signed } from '#machinery/web/signed.ts'
import { Uploads } from '#machinery/web/uploads.ts'
import { Forgotten } from '#product/administration/users/forgotten.ts'
import { KnownDevices } from '#product/administration/users/known-device.ts'
import { SignIn } from '#product/administration/users/sign-in.ts'
import { FileReceiver } from '#product/programme/files/receive.ts'
import { ExactCounts } from '#product/reporting/figures/exact.ts'
import { InsideCounts } from '#product/reporting/figures/inside.ts'
import { MonthlyReports } from '#product/reporting/reports/monthly-reports.ts'
import type { Paying } from '#product/selling/payments/reconciler.ts'
import type { StripeService } from '#product/selling/payments/stripe/stripe.ts'
import { boxOffers, doorOnly } from './door-only.ts'

/**
 * Requests a minute of one address. One address may hide the visitors of a whole mobile network, and each new page takes two
 * requests.
 */
const ASSETS = 12_000

/** Uploads under way of people who submit abstracts, who all come in the last hour of a call. A venue or an institute has one address. */
const OF_AUTHORS = { all: 64, ofSender: 4 }

/** The parts from which the faces are made. */
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
  const { config, clock, log, url, db, instance, health, observe } = foundations
  const clientAddress = clientAddressFinder(config.trustProxy)
  const addresses = new AddressLimit({ clock, clientAddress })
  const assets = new AddressLimit({ clock, clientAddress, most: ASSETS, isExempt: isLoopback })
  const memory = foundations.memory ?? new MemoryBudget()
  const cursors = new Cursors(instance.cursor_secret)
  const api = { db, clock, log, cursors, memory, clientAddress, addresses }
  const ofPages = toPages(foundations)
  const { cookies, signed, baseUrl, secret } = ofPages
  const store = {
    ...{ db, clock, log, clientAddress, addresses, memory, cookies, signed, baseUrl, secret },
    ...{ payments: foundations.payments, stripe: foundations.stripe, mail: foundations.mail },
    orderLimit: new AddressLimit({ clock, clientAddress, most: config.orderRate }),
    uploads: new Uploads(config.data, log, OF_AUTHORS),
    files: new FileReceiver(db),
    filesLimit: config.filesLimit * 1024 ** 3,
  }
  const { localCa: ca } = foundations
  const faces = [
    apiFace(api, routes, publicPages(config.baseUrl, url)),
    dashboardFace({ ...api, ...ofPages }, pages),
    assetsFace(assets),
    storefrontFace(store),
    ...orderFaces(store),
    ...submissionFaces(store),
    reviewFace(store),
    doorFace(api),
    unsubscribeFace({ db, clock, secret: instance.cursor_secret, addresses }),
    healthFace({ clock, clientAddress, ...health }),
    ...(ca === undefined ? [] : [trustFace({ ca, baseUrl, addresses })]),
  ]
  const ofTransport = strictTransport(config)
  return buildSite(
    { log, addresses, observe, ofTransport },
    config.doorOnly ? doorOnly(faces, addresses) : faces,
  )
}

type OfPages = Omit<Services, 'db' | 'clock' | 'log' | 'cursors' | 'memory' | 'clientAddress' | 'addresses'>

function toPages(foundations: Foundations): OfPages {
  const { config, clock, log, url, db, instance, mail, system, stripe, payments } = foundations
  const { baseUrl = url, allowInsecureWebhooks, accessLogDays } = config
  const secret = instance.cursor_secret
  const cookies = new Cookies(baseUrl.startsWith('https:'))
  const signed = new Signed(secret, clock)
  const flashes = new Flashes(cookies, signed)
  const devices = new KnownDevices({ clock, secret })
  const signIn = new SignIn({ db, clock, secret, devices, places })
  const forgotten = new Forgotten({ db, clock, devices, places })
  const instanceWatch = new InstanceWatch({ ...foundations, data: config.data, isDoorOnly: config.doorOnly })
  const inside = new InsideCounts()
  const exactCounts = new ExactCounts()
  const uploads = new Uploads(config.data, log)
  const monthlyReports = new MonthlyReports(db, error =>
    log.warn({ err: error }, 'a month was not summed up'),
  )
  const own = { cookies, signed, flashes, devices, signIn, forgotten, baseUrl, secret, allowInsecureWebhooks }
  const money = { stripe, payments }
  return {
    ...own,
    ...money,
    accessLogDays,
    mail,
    instanceWatch,
    inside,
    exactCounts,
    uploads,
    monthlyReports,
    system,
    offers: config.doorOnly ? boxOffers(pages) : () => true,
  }
}
