/** This phone has let a guest in or out, which the copy does not know yet. */
export interface OwnMark {
  scanId: string
  at: string
  /** Whether the guest has left. */
  isExit?: boolean
}

/** Holds what this phone has done and the copy does not know yet, by the tickets. */
export class OwnMarks {
  readonly #byTicket = new Map<string, OwnMark[]>()

  ids(): Iterable<string> {
    return this.#byTicket.keys()
  }

  has(ticketId: string): boolean {
    return this.#byTicket.has(ticketId)
  }

  /** Returns the marks of a ticket in their order. */
  of(ticketId: string): readonly OwnMark[] {
    return this.#byTicket.get(ticketId) ?? []
  }

  /** @param isMore whether the ticket may have more than one */
  add(ticketId: string, mark: OwnMark, isMore: boolean): void {
    const marks = this.#byTicket.get(ticketId)
    if (marks === undefined) this.#byTicket.set(ticketId, [mark])
    else if (isMore && marks.every(({ scanId }) => scanId !== mark.scanId)) marks.push(mark)
  }

  remove(ticketId: string, scanId: string): void {
    const left = this.of(ticketId).filter(mark => mark.scanId !== scanId)
    if (left.length > 0) this.#byTicket.set(ticketId, left)
    else this.#byTicket.delete(ticketId)
  }
}
