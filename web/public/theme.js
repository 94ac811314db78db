/* Runs before the first paint: a reader who chose dark sees no flash of light. */
try {
  const theme = localStorage.getItem('ropewalk-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  /* Storage is refused: the system's theme it is. */
}
