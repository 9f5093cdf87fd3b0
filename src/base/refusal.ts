/**
 * The program cannot do what it was asked to do because of a setting, a port, a certificate, the data folder or a file. The
 * message is a sentence for the person who runs the program.
 */
export class Refusal extends Error {
  override name = 'Refusal'
}
