import type { CleaningBatch } from './batches.ts'
import type { Position } from './keyset.ts'
import type { InstanceWriteTx, ReadTx, WriteTx } from './port.ts'

/**
 * A kind of data that a feature keeps for a time. Older rows are deleted, or lose the names of people, in short writes one after
 * another.
 */
export type Cleaning = InstanceCleaning | AccountCleaning | AccountPass

interface Kept {
  /** The name of the data in the log. */
  name: string
  /** Milliseconds. */
  keptFor: number
}

interface OfAccount extends Kept {
  owner: 'account'
  /**
   * Returns whether an account has a row from before this instant. It saves a write, which waits for the disk even if there is
   * nothing to do.
   */
  hasOld(tx: ReadTx, before: number): Promise<boolean>
}

/** A cleaning of rows that belong to no account, or to all accounts at once. */
export interface InstanceCleaning extends Kept {
  owner: 'instance'
  /** Deletes some rows. @returns how many, or 0 if none is left */
  deleteSome(tx: InstanceWriteTx, before: number, batch: CleaningBatch): Promise<number>
}

/** A cleaning of one account that deletes all old rows. */
export interface AccountCleaning extends OfAccount {
  /** Deletes some rows. @returns how many, or 0 if none is left */
  deleteSome(tx: WriteTx, before: number, batch: CleaningBatch): Promise<number>
}

/** A cleaning of one account that keeps some of the old rows. It passes each row once. */
export interface AccountPass extends OfAccount {
  /** Cleans some rows. @returns the last row that it has passed, or undefined at the end */
  passSome(
    tx: WriteTx,
    before: number,
    { after, batch }: { after: Position; batch: CleaningBatch },
  ): Promise<Position | undefined>
}
