import './styles.css'

/** React and the app are evaluated in tasks of their own: together they would hold a phone up for half a second. */
async function load(): Promise<void> {
  await import('react-dom/client')
  const { start } = await import('./start.tsx')
  await start()
}

// The first frame does not wait for them; a page in the background has none.
if (document.hidden) void load()
else requestAnimationFrame(() => setTimeout(load))
