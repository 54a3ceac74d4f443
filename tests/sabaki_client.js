// Talks to the engine through Sabaki's own GTP library, as Sabaki does, and prints what happened
// as one line of JSON. Usage: node sabaki_client.js PROGRAM ARGUMENT...
const {Controller, ControllerStateTracker} = require('@sabaki/gtp')
const Board = require('@sabaki/go-board')

const [program, ...args] = process.argv.slice(2)
const letters = 'ABCDEFGHJKLMNOPQRSTUVWXYZ'
const vertex = ([x, y], size) => `${letters[x]}${size - y}`
const sleep = ms => new Promise(resolve => setTimeout(resolve, ms))

function randomGame(size, length, seed) {
  // Legal moves only, as Sabaki's own board sees it; no move retakes a single stone at once.
  let state = seed
  const random = n => {
    state = (state * 1103515245 + 12345) % 2147483648
    return Math.floor((state / 2147483648) * n)
  }
  let board = Board.fromDimensions(size)
  const moves = []
  const seen = new Set([JSON.stringify(board.signMap)])
  for (let tries = 0; moves.length < length && tries < 100 * length; tries++) {
    const sign = moves.length % 2 === 0 ? 1 : -1
    const place = [random(size), random(size)]
    const analysis = board.analyzeMove(sign, place)
    if (analysis.overwrite || analysis.suicide) continue
    const next = board.makeMove(sign, place)
    const key = JSON.stringify(next.signMap)
    if (seen.has(key)) continue
    seen.add(key)
    board = next
    moves.push({name: 'play', args: [sign > 0 ? 'B' : 'W', vertex(place, size)]})
  }
  return {board, moves}
}

function stonesOf(board) {
  const result = {b: [], w: []}
  board.signMap.forEach((row, y) =>
    row.forEach((sign, x) => {
      if (sign) result[sign > 0 ? 'b' : 'w'].push(vertex([x, y], board.height))
    })
  )
  return result
}

function stonesShown(text) {
  const result = {b: [], w: []}
  for (const line of text.split('\n')) {
    const match = line.match(/^\s?(\d+) ?([.+XO() ]+?)\s*\d+$/)
    if (!match) continue
    const signs = match[2].replace(/[() ]/g, '')
    signs.split('').forEach((sign, x) => {
      if (sign === 'X') result.b.push(`${letters[x]}${match[1]}`)
      if (sign === 'O') result.w.push(`${letters[x]}${match[1]}`)
    })
  }
  return result
}

const same = (a, b) =>
  ['b', 'w'].every(c => JSON.stringify([...a[c]].sort()) === JSON.stringify([...b[c]].sort()))

async function main() {
  const report = {}
  const controller = new Controller(program, args)
  const tracker = new ControllerStateTracker(controller)
  controller.start()

  const names = ['name', 'version', 'protocol_version', 'list_commands']
  const hello = await Promise.all(names.map(name => controller.sendCommand({name})))
  report.handshake = hello.map(response => (response.error ? null : response.content))
  report.commands = report.handshake.pop().split('\n').length

  // Three hundred plays at once, then branches that share a beginning.
  const {board, moves} = randomGame(19, 300, 7)
  report.moves = moves.length
  await tracker.sync({komi: 6.5, boardsize: [19, 19], history: moves})
  let shown = await controller.sendCommand({name: 'showboard'})
  report.longGame = same(stonesShown(shown.content), stonesOf(board))
  report.branches = true
  for (const length of [290, 295, 150, 10, 300, 0, 60]) {
    let expected = Board.fromDimensions(19)
    for (const {args: [color, place]} of moves.slice(0, length)) {
      const x = letters.indexOf(place[0])
      expected = expected.makeMove(color === 'B' ? 1 : -1, [x, 19 - +place.slice(1)])
    }
    await tracker.sync({komi: 6.5, boardsize: [19, 19], history: moves.slice(0, length)})
    shown = await controller.sendCommand({name: 'showboard'})
    if (!same(stonesShown(shown.content), stonesOf(expected))) report.branches = false
  }

  // Analysis, started and stopped as Sabaki does: by a command that asks nothing.
  report.analysis = []
  for (const name of ['lz-analyze', 'kata-analyze']) {
    const lines = []
    const running = controller.sendCommand({name, args: ['B', '10', 'ownership', 'true']}, evt => {
      if (evt.line.startsWith('info')) lines.push(evt.line)
    })
    // On a busy machine the first report may take its time.
    for (let waited = 0; waited < 600 || (lines.length < 2 && waited < 60000); waited += 50) {
      await sleep(50)
    }
    const stopped = Date.now()
    const abort = controller.sendCommand({name: 'protocol_version'})
    await running
    await abort
    report.analysis.push({name, lines, stoppedAfter: Date.now() - stopped})
  }

  // A move with analysis, followed through by the tracker.
  await tracker.sync({komi: 6.5, boardsize: [9, 9], history: []})
  const genmove = await controller.sendCommand({name: 'kata-genmove_analyze', args: ['B', '10']})
  report.genmove = genmove.content.split('\n').pop()
  await sleep(50)
  report.tracked = tracker.state.history.map(item => item.args.join(' '))

  const left = Date.now()
  await controller.stop()
  report.quitAfter = Date.now() - left
  report.killed = controller.process != null
  console.log(JSON.stringify(report))
}

main().catch(error => {
  console.error(error)
  process.exit(1)
})
