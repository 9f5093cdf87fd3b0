export const calls = {
  anywhere: 'en cualquier lugar de la Tierra',
}
