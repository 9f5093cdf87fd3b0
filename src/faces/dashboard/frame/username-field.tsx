/** Tells password managers whose password a form takes. */
export function UsernameField({ email }: { email: string }) {
  return <input type="text" name="username" autocomplete="username" value={email} readonly hidden />
}
