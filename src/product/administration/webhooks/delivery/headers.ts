/** Returns the headers of each attempt, without its signature (specification section 6). */
export function headersOf(type: string, eventId: string): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Turnout',
    'svc-event-type': type,
    'svc-event-id': eventId,
  }
}
