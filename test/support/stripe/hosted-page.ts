import { shown } from './amounts.ts'
import { type Buyers, isDelayed } from './buyer.ts'

export interface PageAnswer {
  status: number
  /** The address that the browser goes to next. */
  location?: string
  html?: string
}

const escaped = (text: string) => text.replace(/[&<>"']/g, sign => `&#${sign.codePointAt(0)};`)

function page(title: string, body: string): PageAnswer {
  return {
    status: 200,
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title>
<meta name="viewport" content="width=device-width"></head><body><main><h1>${escaped(title)}</h1>${body}</main></body></html>`,
  }
}

const button = (action: string, label: string) =>
  `<form method="post" action="${action}"><button>${label}</button></form>`

/** Answers a buyer's browser at the address of a session, in place of Stripe's page. */
export class HostedPages {
  private readonly buyers: Buyers

  constructor(buyers: Buyers) {
    this.buyers = buyers
  }

  answer(method: string, path: string, query: string): PageAnswer {
    const [, , , id = '', action] = path.split('/')
    try {
      if (method === 'GET' && action === undefined) return this.show(id, query.includes('declined'))
      if (method === 'POST' && action !== undefined) return this.act(id, action)
    } catch (error) {
      return { ...page('Something went wrong', `<p>${escaped(String(error))}</p>`), status: 404 }
    }
    return { ...page('Not found', ''), status: 404 }
  }

  private show(id: string, declined: boolean): PageAnswer {
    const { session } = this.buyers.find(id)
    if (session.status === 'complete') return page('You have already paid', '')
    if (session.status === 'expired') return page('This page has timed out', '')
    const back = session.cancel_url ? `<p><a href="${escaped(session.cancel_url)}">Back</a></p>` : ''
    const here = `/c/pay/${id}`
    const later = session.payment_method_types.some(isDelayed) ? button(`${here}/later`, 'Pay later') : ''
    return page(
      `Pay ${shown(session.amount_total ?? 0, session.currency ?? '')}`,
      `${declined ? '<p role="alert">Your card was declined.</p>' : ''}${button(`${here}/pay`, 'Pay')}${button(`${here}/decline`, 'Decline')}${later}${back}`,
    )
  }

  private act(id: string, action: string): PageAnswer {
    const { session } = this.buyers.find(id)
    const here = `/c/pay/${id}`
    if (session.status !== 'open') return { status: 303, location: here }
    if (action === 'decline') {
      this.buyers.decline(id)
      return { status: 303, location: `${here}?declined` }
    }
    if (action === 'later') this.buyers.payLater(id)
    else if (action === 'pay') this.buyers.pay(id)
    else throw new Error('there is no such button')
    return { status: 303, location: (session.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', id) }
  }
}
