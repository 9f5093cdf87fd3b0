/** Describes Stripe's error object. https://docs.stripe.com/api/errors */
export interface ErrorBody {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  message: string
  code?: string
  param?: string
  doc_url?: string
}

/** An answer that is an error. One that says `validation` came before any endpoint ran, so no key remembers it. */
export class StripeRefusal extends Error {
  readonly status: number
  readonly body: ErrorBody
  readonly headers: Record<string, string>
  readonly validation: boolean

  constructor(
    status: number,
    body: ErrorBody,
    { headers = {}, validation = false }: { headers?: Record<string, string>; validation?: boolean } = {},
  ) {
    super(body.message)
    this.status = status
    this.body = body.code
      ? { ...body, doc_url: `https://stripe.com/docs/error-codes/${body.code.replaceAll('_', '-')}` }
      : body
    this.headers = headers
    this.validation = validation
  }
}

function fault(message: string, code: string | undefined, param: string | undefined): ErrorBody {
  return {
    type: 'invalid_request_error',
    message,
    ...(code === undefined ? {} : { code }),
    ...(param === undefined ? {} : { param }),
  }
}

/** Refuses a parameter that is wrong in itself. */
export function invalid(message: string, param?: string, code?: string): StripeRefusal {
  return new StripeRefusal(400, fault(message, code, param), { validation: true })
}

/** Refuses a well-formed request that the state of things forbids. */
export function refused(message: string, code?: string, param?: string): StripeRefusal {
  return new StripeRefusal(400, fault(message, code, param))
}

/** Refuses an id that this account does not have in this mode. */
export function missing(
  kind: string,
  id: string,
  param: string,
  otherMode: boolean,
  live: boolean,
): StripeRefusal {
  const [there, here] = live ? ['test', 'live'] : ['live', 'test']
  const hint = otherMode
    ? `; a similar object exists in ${there} mode, but a ${here} mode key was used to make this request.`
    : ''
  return new StripeRefusal(404, fault(`No such ${kind}: '${id}'${hint}`, 'resource_missing', param))
}

/** Refuses something of Stripe's that this stand-in lacks: that is a fault of the test, which no answer of Stripe's may hide. */
export function notBuilt(what: string): StripeRefusal {
  return new StripeRefusal(
    501,
    { type: 'api_error', message: `The stand-in for Stripe does not have ${what}.` },
    { validation: true },
  )
}

export const tooMany = (reason: string) =>
  new StripeRefusal(
    429,
    fault(
      'Request rate limit exceeded. Learn more about rate limits here https://stripe.com/docs/rate-limits.',
      'rate_limit',
      undefined,
    ),
    { headers: { 'stripe-rate-limited-reason': reason }, validation: true },
  )

export const lockTimeout = () =>
  new StripeRefusal(
    429,
    fault(
      'This object cannot be accessed right now because another API request or Stripe process is currently accessing it.',
      'lock_timeout',
      undefined,
    ),
    { validation: true },
  )
