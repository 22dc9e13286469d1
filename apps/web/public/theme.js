// Blocking on purpose: theme and density are known before the first paint.
;(() => {
  let choice = null
  let density = null
  try {
    choice = localStorage.getItem('catenary.theme')
    density = localStorage.getItem('catenary.density')
  } catch {}
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.density = density === 'compact' ? density : 'comfortable'
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
  document.querySelector('meta[name="theme-color"]').content = dark ? '#101518' : '#ffffff'
})()
