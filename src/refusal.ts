/**
 * What cannot be done as things are: a setting, a port, a certificate, the data folder or a file. The message is a sentence for
 * the person who runs the program.
 */
export class Refusal extends Error {
  override name = 'Refusal'
}
