import type { PrintedTicket, TicketDocument } from '#machinery/ticket-documents/ticket-pdf.ts'

export const TICKET_URL = 'https://tickets.example.org/tickets/3b1c2d9e8f7a6b5c4d3e2f1a3b1c2d9e8f'

/** Returns a text that is as long as a ticket's code, and differs for each number. */
export function codeOf(number: number): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const end = [number % 32, Math.floor(number / 32) % 32].map(at => letters[at]).join('')
  return `SVC1.${letters.repeat(5).slice(0, 134)}${end}`
}

export function ticketOf(holder: string | null, changes: Partial<PrintedTicket> = {}): PrintedTicket {
  return {
    ...{ code: codeOf(0), type: 'Standard', holder, seat: null, validFrom: null, validUntil: null },
    url: TICKET_URL,
    ...changes,
  }
}

interface DocumentParts {
  language?: TicketDocument['language']
  event?: Partial<TicketDocument['event']>
  order?: Partial<TicketDocument['order']>
  paper?: TicketDocument['paper']
  look?: TicketDocument['look']
  seller?: TicketDocument['seller']
  tickets: readonly PrintedTicket[]
}

export function documentOf({
  language = 'en',
  paper = 'A4',
  seller = {
    isSelling: true,
    lines: ['Elm Hall Association', 'Calle Mayor 1', '28001 Madrid', 'NIF G12345678'],
  },
  event,
  order,
  tickets,
  look = { colour: null, logo: null },
}: DocumentParts): TicketDocument {
  return {
    ...{ language, paper, seller, contact: 'desk@example.org', look },
    event: {
      title: 'Spring Meeting',
      organizer: 'Society of Ornithology',
      startsAt: Date.parse('2026-12-03T13:05:00Z'),
      endsAt: Date.parse('2026-12-03T17:00:00Z'),
      timezone: 'Europe/Madrid',
      venue: 'Palacio de Congresos',
      onlineUrl: null,
      address: 'Paseo de la Castellana 99\n28046 Madrid',
      ...event,
    },
    order: {
      reference: 'K7PM-2QXA',
      issuedAt: Date.parse('2026-10-01T10:00:00Z'),
      ...order,
    },
    tickets,
  }
}
