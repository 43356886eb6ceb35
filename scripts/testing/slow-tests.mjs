/**
 * What may take longer than `npm run check` allows, each with its reason.
 * @type {import('./ratchet.mjs').SlowTests}
 */
export const slowTests = {
  // A whole `npm test` on two cores with nothing beside it. Write it anew when the suite has become another one: the check
  // prints what the last run took.
  record: { workerSeconds: 3527, files: 291 },
  files: {
    'bench/test/soak.alone.test.ts': 'plays sessions that act while things break',
    'eval/test/evaluation.test.ts': 'plays whole runs of an agent',
    'eval/test/recorded-runs.trials.test.ts': 'makes many trials',
    'integrations/agent-browser/test/clickables/clickables.test.ts': 'presses or reads many pages',
    'integrations/agent-browser/test/faults/bad-servers.test.ts':
      'waits for the times of the product with pages and servers that do not answer',
    'integrations/agent-browser/test/faults/dialogs-and-popups.test.ts':
      'waits for the times of the product with pages and servers that do not answer',
    'integrations/agent-browser/test/faults/failed-downloads.test.ts': 'starts and ends browsers and programs',
    'integrations/agent-browser/test/faults/hanging-pages.test.ts':
      'waits for the times of the product with pages and servers that do not answer',
    'integrations/agent-browser/test/faults/pages-that-hold-on.test.ts':
      'waits for the times of the product with pages and servers that do not answer',
    'integrations/agent-browser/test/lifecycle/close.alone.test.ts': 'starts and ends browsers and programs',
    'integrations/agent-browser/test/lifecycle/hibernation.alone.test.ts': 'starts and ends browsers and programs',
    'integrations/agent-browser/test/lifecycle/host-process.alone.test.ts': 'starts and ends browsers and programs',
    'integrations/agent-browser/test/lifecycle/hung-remote.test.ts':
      'waits for the times of the product with pages and servers that do not answer',
    'integrations/agent-browser/test/lifecycle/records.test.ts': 'starts and ends browsers and programs',
    'integrations/agent-browser/test/lifecycle/recovery.alone.test.ts': 'starts and ends browsers and programs',
    'integrations/agent-browser/test/lifecycle/remote.test.ts': 'starts and ends browsers and programs',
    'integrations/agent-browser/test/lifecycle/spare-context.alone.test.ts': 'starts and ends browsers and programs',
    'integrations/agent-browser/test/lifecycle/start.alone.test.ts': 'starts and ends browsers and programs',
    'integrations/agent-browser/test/observe/video-ends.test.ts': 'films or traces in real time',
    'integrations/agent-browser/test/observe/video-limits.test.ts': 'films or traces in real time',
    'integrations/agent-browser/test/observe/video.test.ts': 'films or traces in real time',
    'integrations/agent-browser/test/policy/secret-ink.test.ts': 'looks at many ways, or pictures, of a page',
    'integrations/agent-browser/test/policy/secret-echoes.test.ts': 'looks at pictures of many pages',
    'integrations/agent-browser/test/policy/secret-pictures.test.ts': 'looks at many ways, or pictures, of a page',
    'integrations/agent-browser/test/refs/benign.trials.test.ts': 'makes many trials',
    'integrations/agent-browser/test/tools/click-reach.test.ts': 'waits for the time of an action, or tries many pages',
    'integrations/agent-browser/test/tools/downloads.test.ts': 'waits for the time of an action, or tries many pages',
    'integrations/agent-browser/test/tools/evaluate.test.ts': 'waits for the time of an action, or tries many pages',
    'integrations/agent-browser/test/tools/fill-form.test.ts': 'waits for the time of an action, or tries many pages',
    'integrations/agent-browser/test/tools/find.test.ts': 'reads large pages',
    'integrations/agent-browser/test/tools/navigate.test.ts': 'waits for the time of an action, or tries many pages',
    'integrations/agent-browser/test/tools/screenshot.test.ts': 'waits for the time of an action, or tries many pages',
    'integrations/agent-browser/test/tools/type.test.ts': 'waits for the time of an action, or tries many pages',
    'integrations/agent-browser/test/tools/wait.test.ts': 'waits for the time of an action, or tries many pages',
    'packages/browser-agent/test/durable.test.ts': 'starts programs',
    'packages/browser-agent/test/hostile-pages.test.ts': 'reads large pages',
    'packages/browser-agent/test/process-end.test.ts': 'starts programs',
    'packages/browser-agent/test/rerun-source.alone.test.ts': 'plays whole runs of an agent',
    'packages/browser-agent/test/rerun-tasks.test.ts': 'plays whole runs of an agent',
    'packages/browser-agent/test/rerun.test.ts': 'plays whole runs of an agent',
    'packages/mcp/test/agent.test.ts': 'plays whole tasks through a client',
    'packages/mcp/test/clients.test.ts': 'starts programs',
    'packages/mcp/test/http.test.ts': 'plays whole tasks through a client',
    'packages/mcp/test/page-text.test.ts': 'calls each tool of each profile',
    'packages/mcp/test/page-tools.test.ts': 'plays whole tasks through a client',
    'packages/mcp/test/process.test.ts': 'starts programs',
    'packages/playground/test/demo/main.test.ts': 'starts programs',
    'packages/playground/test/page/accessibility.test.ts':
      'plays whole tasks in one browser and looks at them in another',
    'packages/playground/test/page/browser-agent.test.ts':
      'plays whole tasks in one browser and looks at them in another',
    'packages/playground/test/page/chat.test.ts': 'plays whole tasks in one browser and looks at them in another',
    'packages/playground/test/page/layout.test.ts': 'plays whole tasks in one browser and looks at them in another',
    'packages/playground/test/page/restart.test.ts': 'plays whole tasks in one browser and looks at them in another',
    'packages/playground/test/page/windows.test.ts': 'plays whole tasks in one browser and looks at them in another',
    'packages/playground/test/page/run-history.test.ts':
      'plays whole tasks in one browser and looks at them in another',
    'packages/playground/test/server/browser-runs.test.ts':
      'plays whole tasks in one browser and looks at them in another',
    'packages/server/test/page-video.test.ts': 'films or traces in real time',
    'integrations/agent-browser/test/lifecycle/killed-host.alone.test.ts': 'starts and ends browsers and programs',
    'integrations/agent-browser/test/policy/canary.test.ts': 'calls each tool',
    'integrations/agent-browser/test/policy/press-effects.test.ts': 'presses or reads many pages',
    'integrations/agent-browser/test/policy/secret-pieces.test.ts': 'looks at many ways, or pictures, of a page',
    'integrations/agent-browser/test/snapshot/seen-names.test.ts': 'presses or reads many pages',
    'packages/browser-agent/test/approving.test.ts': 'plays whole runs of an agent',
    'packages/browser-agent/test/canary.test.ts': 'plays whole runs of an agent',
    'packages/browser-agent/test/masked-values.test.ts': 'plays whole runs of an agent',
    'packages/browser-agent/test/token-limit.test.ts': 'plays whole runs of an agent',
    'packages/playground/test/page/card.test.ts': 'plays whole runs of an agent',
    'packages/server/test/unread.test.ts': 'films or traces in real time',
    'packages/server/test/video.trials.test.ts': 'films or traces in real time',
  },
  // By file, then by the test's full name.
  tests: {
    'bench/test/walks.test.ts': {
      'the three walks of docs/architecture.md name the files that run, and no others':
        'measures three walks, each in a browser of its own, fifteen times',
    },
    'integrations/agent-browser/test/faults/failed-downloads.test.ts': {
      'a download without a file is told as failed, and why its browser ends meanwhile':
        'starts and ends browsers and programs',
      'a download without a file is told as failed, and why its disk is full, and nothing of it is left':
        'starts and ends browsers and programs',
      'a download whose tab is closed meanwhile goes on, and is told': 'starts and ends browsers and programs',
      'a navigation that fails is no success because a download failed before': 'starts and ends browsers and programs',
    },
    'eval/test/evaluation.test.ts': {
      'a model that cannot be asked ends the eval after three runs, which are played again':
        'plays whole runs of an agent',
      'a scripted eval does a task with both agents, by what they read, and leaves traces':
        'plays whole runs of an agent',
      'a scripted eval that was interrupted goes on with the run it was in, and repeats none that ended':
        'plays whole runs of an agent',
    },
    'eval/test/faults.test.ts': {
      'an eval with faults plays a task to its end, by nothing but what the model meant':
        'plays whole runs of an agent',
    },
    'eval/test/interrupt.test.ts': {
      'Ctrl-C closes the browser, keeps what is there and says how to go on': 'starts programs',
    },
    'eval/test/recorded-runs.trials.test.ts': {
      'the recorded run of account-feedback is done again by a rerun': 'makes many trials',
      'the recorded run of account-feedback is done again by its export for Mastra': 'makes many trials',
      'the recorded run of account-feedback is done again by its export for Playwright': 'makes many trials',
      'the recorded run of account-feedback is done again with other values by a rerun': 'makes many trials',
      'the recorded run of account-feedback is done again with other values by its export for Mastra':
        'makes many trials',
      'the recorded run of account-feedback is done again with other values by its export for Playwright':
        'makes many trials',
      'the recorded run of mail-empty-trash is done again by a rerun': 'makes many trials',
      'the recorded run of mail-empty-trash is done again by its export for Mastra': 'makes many trials',
      'the recorded run of mail-empty-trash is done again by its export for Playwright': 'makes many trials',
      'the recorded run of trains-cheapest-direct is done again by a rerun': 'makes many trials',
      'the recorded run of trains-cheapest-direct is done again by its export for Mastra': 'makes many trials',
      'the recorded run of trains-cheapest-direct is done again by its export for Playwright': 'makes many trials',
      'the recorded run of trains-cheapest-direct is done again with other values by a rerun': 'makes many trials',
      'the recorded run of trains-cheapest-direct is done again with other values by its export for Mastra':
        'makes many trials',
      'the recorded run of trains-cheapest-direct is done again with other values by its export for Playwright':
        'makes many trials',
    },
    'eval/test/referee.test.ts': {
      'a task of WebVoyager is played on its site and judged by a model, which is told what was seen':
        'plays whole runs of an agent',
    },
    'integrations/agent-browser/test/faults/bad-servers.test.ts': {
      'a page that never ends can be used as far as it came':
        'waits for the times of the product with pages and servers that do not answer',
      'a page that sends itself on for ever can be left':
        'waits for the times of the product with pages and servers that do not answer',
      'an answer that breaks off is shown as far as it came':
        'waits for the times of the product with pages and servers that do not answer',
    },
    'integrations/agent-browser/test/faults/crashing-pages.test.ts': {
      'a page that crashes whenever it is opened (/later) does not keep the next call from working: list of tabs':
        'waits until a page crashes',
    },
    'integrations/agent-browser/test/faults/dialogs-and-popups.test.ts': {
      'alerts that a page opens without end are ended by an answer: /ten-a-second': 'waits until a storm is over',
      'alerts that a page opens without end are ended by an answer: /counted': 'waits until a storm is over',
      'alerts that a press starts are ended by an answer that comes after it, and told': 'waits until a storm is over',
      'a page that opens alerts for ever is answered for ever only as long as the action lasts':
        'waits for the times of the product with pages and servers that do not answer',
      'clicks land while windows open one after another in front of the page':
        'waits for the times of the product with pages and servers that do not answer',
      'thirty windows at once are told as what they are, and the click after them lands':
        'waits for the times of the product with pages and servers that do not answer',
    },
    'integrations/agent-browser/test/faults/downloads.test.ts': {
      'a download that breaks off fails the action that began it':
        'waits for the times of the product with pages and servers that do not answer',
    },
    'integrations/agent-browser/test/faults/hanging-pages.test.ts': {
      'a page in an endless loop can be reloaded':
        'waits for the times of the product with pages and servers that do not answer',
      'a page that hangs from its first line on fails its navigation in time, and the next one works':
        'waits for the times of the product with pages and servers that do not answer',
      'a thread whose page hangs does not slow another thread':
        'waits for the times of the product with pages and servers that do not answer',
      'an agent leaves a page in an endless loop by navigating, and is told how':
        'waits for the times of the product with pages and servers that do not answer',
      'another tab works while one hangs, and the one that hangs can be closed':
        'waits for the times of the product with pages and servers that do not answer',
      'every action on a page in an endless loop answers that it did not react':
        'waits for the times of the product with pages and servers that do not answer',
    },
    'integrations/agent-browser/test/faults/slow-servers.test.ts': {
      'a server that takes its time does not keep the tab from going elsewhere':
        'waits for the times of the product with pages and servers that do not answer',
      'a server that takes its time is given up by the next call when its time is over, and the page before is there again':
        'waits for the times of the product with pages and servers that do not answer',
      'a server that takes its time is told of before ten seconds are over, and can be waited for':
        'waits for the times of the product with pages and servers that do not answer',
      'a server that takes its time is told of by the click that asks it, and by nobody once it has answered':
        'waits for the times of the product with pages and servers that do not answer',
    },
    'integrations/agent-browser/test/lifecycle/close.alone.test.ts': {
      'closing a browser that does not react ends it by force': 'starts and ends browsers and programs',
      'closing leaves no process and no temporary folder': 'starts and ends browsers and programs',
      'closing with pages that hang, hold a dialog or want to keep the visitor leaves nothing':
        'starts and ends browsers and programs',
    },
    'integrations/agent-browser/test/lifecycle/hibernation.alone.test.ts': {
      'a page that hangs or holds a dialog does not keep its session from hibernating':
        'starts and ends browsers and programs',
      'a session that is not used hibernates, and its next call finds tabs, cookies, storage and scroll again':
        'starts and ends browsers and programs',
      'many threads at the same time stay within the cap and all get their turn':
        'starts and ends browsers and programs',
      'what happened in a session before it hibernated is still told when it wakes':
        'starts and ends browsers and programs',
    },
    'integrations/agent-browser/test/lifecycle/host-process.alone.test.ts': {
      'SIGHUP closes the browser of a program that has a listener for it and leaves the rest to that':
        'starts and ends browsers and programs',
      'SIGINT closes the browser of a program that has a listener for it and leaves the rest to that':
        'starts and ends browsers and programs',
      'SIGINT ends a program as usual, and its browser and temporary files with it':
        'starts and ends browsers and programs',
      'SIGTERM closes the browser of a program that has a listener for it and leaves the rest to that':
        'starts and ends browsers and programs',
      'a browser does not outlive a program that is killed': 'starts and ends browsers and programs',
      'a program that opens a page loads nothing that drives phones': 'starts and ends browsers and programs',
      'a second signal ends a program at once when its browser does not react': 'starts and ends browsers and programs',
    },
    'integrations/agent-browser/test/lifecycle/hung-remote.test.ts': {
      'a browser that stops answering fails each call that needs it in time, and is used again when it goes on':
        'waits for the times of the product with pages and servers that do not answer',
      'a page that hangs is no bar to another thread once its session was closed':
        'waits for the times of the product with pages and servers that do not answer',
      'a page that hangs when its connection drops is closed, and opened again for its thread':
        'waits for the times of the product with pages and servers that do not answer',
      'a page that stops answering while it is looked into is read as far as it came':
        'waits for the times of the product with pages and servers that do not answer',
      'a process that takes a thread over closes the page that its record names':
        'waits for the times of the product with pages and servers that do not answer',
      "somebody else's page that hangs is named, and left alone":
        'waits for the times of the product with pages and servers that do not answer',
    },
    'integrations/agent-browser/test/lifecycle/many-sessions.trials.alone.test.ts': {
      'sessions that are closed or asleep cost next to nothing, however many there were':
        'starts and ends browsers and programs',
    },
    'integrations/agent-browser/test/lifecycle/records.test.ts': {
      'two processes take turns on a thread: each finds tabs, cookies and storage as the other left them':
        'starts and ends browsers and programs',
      'while one process is at work in a thread, another is refused, and may go on afterwards':
        'starts and ends browsers and programs',
    },
    'integrations/agent-browser/test/lifecycle/recovery.alone.test.ts': {
      'a browser killed between calls is started again: tabs, their ids, cookies and storage are back, refs are stale':
        'starts and ends browsers and programs',
      'a browser killed during a call fails that call, and the next one finds all open again':
        'starts and ends browsers and programs',
      'each thread gets its own back after the browser was killed': 'starts and ends browsers and programs',
    },
    'integrations/agent-browser/test/lifecycle/remote.test.ts': {
      'a browser that dies is replaced by the next of the pool, with tabs, cookies and storage':
        'starts and ends browsers and programs',
      'a connection that drops is made again, and the pages are taken over as they are':
        'starts and ends browsers and programs',
      'a thread that sleeps or was closed leaves its pages and cookies in the browser to no other':
        'starts and ends browsers and programs',
    },
    'integrations/agent-browser/test/lifecycle/spare-context.alone.test.ts': {
      'one that is there goes when a thread that wakes takes the last place': 'starts and ends browsers and programs',
    },
    'integrations/agent-browser/test/lifecycle/start.alone.test.ts': {
      'a browser that dies while it starts keeps nobody waiting': 'starts and ends browsers and programs',
      'first calls of twenty threads at the same time start one Chromium, and each thread has cookies of its own':
        'starts and ends browsers and programs',
    },
    'integrations/agent-browser/test/mastra/schemas.test.ts': {
      'the output schema of a tool that is opted into keeps every field of its results': 'plays whole runs of an agent',
    },
    'integrations/agent-browser/test/observe/trace.test.ts': {
      "a trace of each session is a file that Playwright opens, with the tools' calls by name":
        'films or traces in real time',
    },
    'integrations/agent-browser/test/observe/video-ends.test.ts': {
      'a disk that is full ends a video with one warning and nothing else; what was written plays':
        'films or traces in real time',
      'the video of a program that is killed plays, without a length, to the last picture that stood':
        'films or traces in real time',
    },
    'integrations/agent-browser/test/observe/video-limits.test.ts': {
      'a remote browser encodes its videos, and nothing of that is left': 'films or traces in real time',
      'a remote browser that makes no contexts encodes them in the one it has, and nothing of that is left':
        'films or traces in real time',
      'a video goes on no longer than its browser: what was recorded stands, and the next browser has another file':
        'films or traces in real time',
      'a video goes on until its file is as large as it may be, and the log says so': 'films or traces in real time',
      'a video goes on when the page that encodes it crashes': 'films or traces in real time',
      'a video goes on while a session is awake, and keeps none from its sleep': 'films or traces in real time',
    },
    'integrations/agent-browser/test/observe/video.test.ts': {
      'a video is one file a thread, for the user of the process alone': 'films or traces in real time',
      'a video keeps its size: pages of another shape have bars': 'films or traces in real time',
      'a video marks where the agent acts on a page that changes faster than it can be encoded':
        'films or traces in real time',
      'a video marks where the agent acts, for a moment': 'films or traces in real time',
      'a video shows no secret': 'films or traces in real time',
      'a video shows what stood for a while when pictures come faster than they can be encoded':
        'films or traces in real time',
      'a video shows what the session showed, when it did, from beginning to end': 'films or traces in real time',
    },
    'packages/page-engine/test/role-and-name.test.ts': {
      'a huge page of 5,000 nested links and list items does not cost their square': 'presses or reads many pages',
    },
    'integrations/agent-browser/test/policy/secret-pictures.test.ts': {
      'the live view shows nothing of a secret that is elsewhere in single frames, by its style':
        'looks at many ways, or pictures, of a page',
      'the live view shows nothing of a secret that is elsewhere in single frames, with what it is in':
        'looks at many ways, or pictures, of a page',
      'the live view shows nothing of a secret that is elsewhere in single frames, in another size':
        'looks at many ways, or pictures, of a page',
      'the live view shows nothing of a secret that is elsewhere in single frames, by turns of the page':
        'looks at many ways, or pictures, of a page',
      'a screenshot shows no secret, wherever the page shows it': 'looks at many ways, or pictures, of a page',
      'the live view shows no secret in any frame of /': 'looks at many ways, or pictures, of a page',
      'the live view shows no secret of a page that a person has enlarged, nor does a screenshot of it':
        'looks at many ways, or pictures, of a page',
      'the live view shows no secret of a page that a phone shows smaller than it is':
        'looks at many ways, or pictures, of a page',
    },
    'integrations/agent-browser/test/policy/secrets-text.test.ts': {
      'a secret that a text tells is hidden for any value, in a url, in JSON and as it is':
        'looks at many ways, or pictures, of a page',
    },
    'integrations/agent-browser/test/prompt/processor.test.ts': {
      'the prompt of a long run has at most a third of the tokens that it has with all results, in its last step and in sum':
        'starts programs',
    },
    'integrations/agent-browser/test/reading/articles.test.ts': {
      'saved articles are read at least as well as the extractor alone reads them': 'reads large pages',
    },
    'integrations/agent-browser/test/refs/benign.trials.test.ts': {
      'what changes without making another thing of an element keeps nobody from acting on it': 'makes many trials',
    },
    'integrations/agent-browser/test/refs/churn-fields.trials.test.ts': {
      'types into no other field and selects in no other list': 'makes many trials',
    },
    'integrations/agent-browser/test/refs/churn.trials.test.ts': {
      'clicks the item that a ref named or refuses, after lists of every shape have changed': 'makes many trials',
    },
    'integrations/agent-browser/test/snapshot/huge-pages.trials.test.ts': {
      'a page with 25,000 elements is read within the budget': 'makes many trials',
    },
    'integrations/agent-browser/test/tools/click-point.test.ts': {
      'a click at a point of a page that hangs ends in time': 'waits for the time of an action, or tries many pages',
    },
    'integrations/agent-browser/test/tools/click-reach.test.ts': {
      'a field that is seen only by what stands around it takes a click there but not under what shows that it loads':
        'waits for the time of an action, or tries many pages',
    },
    'integrations/agent-browser/test/tools/click.test.ts': {
      'a click that goes elsewhere to a page that goes on loading for ever does not slow later clicks down':
        'waits for the time until a page is shown as it is',
      'a click that goes elsewhere to a server that never answers says so, and the page stays usable':
        'waits for the time of an action, or tries many pages',
    },
    'integrations/agent-browser/test/tools/downloads.test.ts': {
      'downloads are waited for once, however long the documents beside theirs take to be read':
        'waits for the time of an action, or tries many pages',
    },
    'integrations/agent-browser/test/tools/emulate.test.ts': {
      'what pages see of the device is another device, with the tabs and what they kept, through hibernation and the end of the browser':
        'waits for the time of an action, or tries many pages',
    },
    'integrations/agent-browser/test/tools/evaluate.test.ts': {
      'a script answers with what it came to, made of what JSON knows':
        'waits for the time of an action, or tries many pages',
      'a script without end is stopped, and the session goes on: for (;;);':
        'waits for the time of an action, or tries many pages',
    },
    'integrations/agent-browser/test/tools/fill-form.test.ts': {
      'filling a form fills every kind of field, and tells what each holds':
        'waits for the time of an action, or tries many pages',
    },
    'integrations/agent-browser/test/tools/find.test.ts': {
      'finds what stands behind all that a snapshot lists of a very large page': 'reads large pages',
    },
    'integrations/agent-browser/test/tools/history.test.ts': {
      'reloading a page that hangs brings it back': 'waits for the time of an action, or tries many pages',
    },
    'integrations/agent-browser/test/tools/late-changes.trials.test.ts': {
      'an action that changes something is never said to have changed nothing, however late it does':
        'makes many trials',
    },
    'integrations/agent-browser/test/tools/navigate.test.ts': {
      'a page that cannot be had because it never ends, ends in time with what there is':
        'waits for the time of an action, or tries many pages',
    },
    'integrations/agent-browser/test/tools/network.test.ts': {
      'the requests of pages are the latest of those that never end':
        'waits for the time of an action, or tries many pages',
    },
    'integrations/agent-browser/test/tools/screenshot.test.ts': {
      'a screenshot of a very tall page comes out': 'waits for the time of an action, or tries many pages',
      'labels stand around their elements: in the viewport': 'waits for the time of an action, or tries many pages',
      'labels stand around their elements: on the whole page': 'waits for the time of an action, or tries many pages',
    },
    'integrations/agent-browser/test/tools/tabs.test.ts': {
      'a tab whose page hangs is listed, left, and closed': 'waits for the time of an action, or tries many pages',
    },
    'integrations/agent-browser/test/tools/type.test.ts': {
      'typing replaces what a text field holds and reads it back':
        'waits for the time of an action, or tries many pages',
      'typing says why it does not know what the field holds when the page hangs':
        'waits for the time of an action, or tries many pages',
    },
    'packages/browser-agent/test/durable.test.ts': {
      'a run whose process is killed as the page after the order loads goes on in another one, and orders once':
        'starts programs',
      'a run whose process is killed as the shop gets the order goes on in another one, and orders once':
        'starts programs',
      'a run whose process is killed while the model thinks about its first step goes on in another one, and orders once':
        'starts programs',
    },
    'packages/browser-agent/test/hostile-pages.test.ts': {
      'a page that opens dialogs so fast that no press may reach it is given up, with what became of it':
        'reads large pages',
    },
    'packages/browser-agent/test/long-run.trials.test.ts': {
      'a run of 30 steps asks as briefly at its end as at its beginning, and begins each question alike':
        'makes many trials',
    },
    'packages/browser-agent/test/process-end.test.ts': {
      'a process whose toolset is closed ends by itself, with no browser left, after a run with a model that answers well':
        'starts programs',
      'a process whose toolset is closed ends by itself, with no browser left, after a run with a model that hangs':
        'starts programs',
      'a process whose toolset is closed ends by itself, with no browser left, after a run with a model that breaks off in the midst of its answer':
        'starts programs',
    },
    'packages/browser-agent/test/rerun-source.alone.test.ts': {
      'a recorded task is source that runs, for Playwright and for Mastra': 'plays whole runs of an agent',
      'a recorded task with a secret, a search, another tab and a dialog runs as source too, and as a workflow with own actions':
        'plays whole runs of an agent',
    },
    'packages/browser-agent/test/rerun-tasks.test.ts': {
      'a recorded task that answers a mail is done again by its exports, where a rerun does it':
        'plays whole runs of an agent',
      'a recorded task that answers a mail is done again without a model on the same site, with other data, other markup and slow pages':
        'plays whole runs of an agent',
      'a recorded task that books a room is done again by its exports, where a rerun does it':
        'plays whole runs of an agent',
      'a recorded task that books a room is done again without a model on the same site, with other data, other markup and slow pages':
        'plays whole runs of an agent',
      'a recorded task that changes one of two settings is done again by its exports, where a rerun does it':
        'plays whole runs of an agent',
      'a recorded task that changes one of two settings is done again without a model on the same site, with other data, other markup and slow pages':
        'plays whole runs of an agent',
      'a recorded task that chooses from a menu is done again by its exports, where a rerun does it':
        'plays whole runs of an agent',
      'a recorded task that chooses from a menu is done again without a model on the same site, with other data, other markup and slow pages':
        'plays whole runs of an agent',
      'a recorded task that closes a ticket in a table is done again by its exports, where a rerun does it':
        'plays whole runs of an agent',
      'a recorded task that closes a ticket in a table is done again without a model on the same site, with other data, other markup and slow pages':
        'plays whole runs of an agent',
    },
    'packages/browser-agent/test/rerun.test.ts': {
      'a recorded task finds what comes seconds after its page': 'plays whole runs of an agent',
      'a recorded task is a workflow of Mastra, with its variables as input': 'plays whole runs of an agent',
      'a recorded task is done again without a model on slow pages': 'plays whole runs of an agent',
      'a recorded task lets a model do the one step that cannot be told, when it is asked to':
        'plays whole runs of an agent',
      'a row with a number in it is found with the same number and with another one, by a rerun and by both exports':
        'plays whole runs of an agent',
      'an element that a step changed before it acted on it is recorded as it was then, and found so by a rerun and by both exports':
        'plays whole runs of an agent',
      'one of several that read alike in the same row is the one at its place, as long as its path does not speak against that':
        'plays whole runs of an agent',
      'one of several that read alike in the same row is told by its path alone where there are others now, unless one of these is of its kind':
        'plays whole runs of an agent',
    },
    'packages/browser-agent/test/run.test.ts': {
      'a run does a task to its end, with each step told and recorded': 'plays whole runs of an agent',
    },
    'packages/mcp/test/agent.test.ts': {
      'run_browser_agent does a whole task in the browser of the client, and tells each step':
        'plays whole tasks through a client',
      'the model of a client of 2025-11-25 that takes its time does not make a call longer than it may be':
        'plays whole tasks through a client',
      'the model of a client of 2026-07-28 is asked for as many steps as the task takes, in several calls if need be':
        'plays whole tasks through a client',
    },
    'packages/mcp/test/clients.test.ts': {
      "a purchase with its receipt is made by Mastra's MCPClient 1.18 over stdio": 'starts programs',
      "a purchase with its receipt is made by Mastra's MCPClient 2.x over stdio": 'starts programs',
    },
    'packages/mcp/test/command.trials.test.ts': {
      'the command takes 4,000 broken messages, and a client that does not read, in little memory': 'makes many trials',
    },
    'packages/mcp/test/http.test.ts': {
      'a session that did nothing for long is over, and has made room for another one':
        'plays whole tasks through a client',
      'twenty clients at once have a browser each, with cookies of its own, and leave nothing behind':
        'plays whole tasks through a client',
    },
    'packages/mcp/test/live.test.ts': {
      'the live view shows the browser of the client, lets a person take over, and the client is told of it':
        'plays whole tasks through a client',
    },
    'packages/mcp/test/model-clients.test.ts': {
      "the model of a Mastra agent with Mastra's MCPClient 1.18 reads what pages say within its boundary, with the profile core":
        'plays whole tasks through a client',
    },
    'packages/mcp/test/page-text.test.ts': {
      'with the profile core no text of a page stands outside of its boundary (0)': 'calls each tool of a profile',
      'with the profile core no text of a page stands outside of its boundary (1)': 'calls each tool of a profile',
      'with the profile core no text of a page stands outside of its boundary (2)': 'calls each tool of a profile',
      'with the profile core no text of a page stands outside of its boundary (3)': 'calls each tool of a profile',
      'with the profile full no text of a page stands outside of its boundary (0)': 'calls each tool of a profile',
      'with the profile full no text of a page stands outside of its boundary (1)': 'calls each tool of a profile',
      'with the profile full no text of a page stands outside of its boundary (2)': 'calls each tool of a profile',
      'with the profile full no text of a page stands outside of its boundary (3)': 'calls each tool of a profile',
      'with the profile slim no text of a page stands outside of its boundary (0)': 'calls each tool of a profile',
      'with the profile algonius no text of a page stands outside of its boundary (0)': 'calls each tool of a profile',
      'with the profile algonius no text of a page stands outside of its boundary (1)': 'calls each tool of a profile',
      'with the profile algonius no text of a page stands outside of its boundary (2)': 'calls each tool of a profile',
      'with the profile algonius no text of a page stands outside of its boundary (3)': 'calls each tool of a profile',
    },
    'packages/mcp/test/page-tools.test.ts': {
      'the tools of a page, for a client of 2025-11-25 are tools of the server while the page is open':
        'plays whole tasks through a client',
      'the tools of a page, for a client of 2025-11-25 that come and go between two calls are told at once':
        'plays whole tasks through a client',
      'the tools of a page, for a client of 2025-11-25 that fail, hang and go elsewhere are told as such':
        'plays whole tasks through a client',
      'the tools of a page, for a client of 2026-07-28 that come and go between two calls are told at once':
        'plays whole tasks through a client',
      'the tools of a page, for a client of 2026-07-28 that fail, hang and go elsewhere are told as such':
        'plays whole tasks through a client',
    },
    'packages/mcp/test/process.test.ts': {
      'options count from flags, then variables, then the file': 'starts programs',
    },
    'packages/mcp/test/results.test.ts': {
      'the structured content of results has the metadata of each action whole, as the schema of its tool says':
        'plays whole tasks through a client',
    },
    'packages/playground-ui/test/view/keyboard.test.ts': {
      'typing sends every printable character as a key that types it': 'shows frames to a page in real time',
    },
    'packages/playground-ui/test/view/memory.trials.test.ts': {
      '300 frames leave no object url and no growing heap': 'makes many trials',
    },
    'packages/playground-ui/test/view/panel.test.ts': {
      'the page is shown as it is': 'shows frames to a page in real time',
    },
    'packages/playground-ui/test/view/pointer.test.ts': {
      'a click lands within one pixel in a view of 300 by 169': 'shows frames to a page in real time',
    },
    'packages/playground/test/demo-site/purchase.test.ts': {
      'a purchase goes from the search to a confirmed order': 'starts programs',
      'the payment frame a card confirmation pays for one order only': 'starts programs',
    },
    'packages/playground/test/demo/main.test.ts': {
      'npm start -- --terminal explains itself': 'starts programs',
      'npm start -- --terminal is over at once on Ctrl-C, and so is its browser': 'starts programs',
      'npm start -- --terminal lets the scripted agent buy a mug, shows each step, and leaves a picture and nothing running':
        'starts programs',
      'npm start -- --terminal refuses what it does not understand in one line': 'starts programs',
      'npm start -- --terminal with --agent browser has the browser agent do it, step by step': 'starts programs',
      'npm start opens the playground, says where, and is over at once on Ctrl+C, browser and all': 'starts programs',
      'npm start with a model lets the model do a task on another site': 'starts programs',
    },
    'integrations/agent-browser/test/refs/refs.test.ts': {
      'refs of a document that is left are given anew for an unchanged page whose refs were forgotten over thousands of others':
        'presses or reads many pages',
    },
    'packages/server/test/page-video.test.ts': {
      'the video of a page in a real browser goes on for others while one viewer does not read and another sends garbage':
        'films or traces in real time',
      'no picture of a video shows a secret': 'films or traces in real time',
    },
    'packages/playground/test/page/accessibility.test.ts': {
      'axe-core finds nothing wrong with a chat with calls, an open one and a question, light and dark, in 1440, 800, 420 pixels':
        'plays whole tasks in one browser and looks at them in another',
      'axe-core finds nothing wrong with a live view, while the agent waits for an approval, light and dark, in 1440, 800, 420 pixels':
        'plays whole tasks in one browser and looks at them in another',
      'axe-core finds nothing wrong with a run of the browser agent that asks, light and dark, in 1440, 800, 420 pixels':
        'plays whole tasks in one browser and looks at them in another',
      'axe-core finds nothing wrong with a run of the browser agent that has ended, light and dark, in 1440, 800, 420 pixels':
        'plays whole tasks in one browser and looks at them in another',
      'axe-core finds nothing wrong with a timeline, with an open entry, light and dark, in 1440, 800, 420 pixels':
        'plays whole tasks in one browser and looks at them in another',
      'axe-core finds nothing wrong with tools, with a result, light and dark, in 1440, 800, 420 pixels':
        'plays whole tasks in one browser and looks at them in another',
    },
    'packages/playground/test/page/browser-agent.test.ts': {
      'a person at a run answers in their own words': 'plays whole tasks in one browser and looks at them in another',
      'a person at a run approves, pauses, says something, lets it go on and declines':
        'plays whole tasks in one browser and looks at them in another',
      'a person at a run can do so on a small screen': 'plays whole tasks in one browser and looks at them in another',
      'a person at a run finds it as it is after a reload, and answers then':
        'plays whole tasks in one browser and looks at them in another',
      'a person at a run is asked in one place, and may answer in a live view elsewhere':
        'plays whole tasks in one browser and looks at them in another',
      'a person at a run stops it, also while it waits':
        'plays whole tasks in one browser and looks at them in another',
      'a run of the browser agent goes on in the same browser with the next task':
        'plays whole tasks in one browser and looks at them in another',
      'a run of the browser agent shows each step, the plan and how it ended':
        'plays whole tasks in one browser and looks at them in another',
    },
    'packages/playground/test/page/browser.test.ts': {
      'the live view shows the page that the agent is on':
        'plays whole tasks in one browser and looks at them in another',
      'the tools panel runs a tool on the thread and shows object, text and cost side by side':
        'plays whole tasks in one browser and looks at them in another',
    },
    'packages/playground/test/page/chat.test.ts': {
      'the chat says in words what waits for approval and where, and takes words for a reason to decline':
        'plays whole tasks in one browser and looks at them in another',
      'the chat stops while an approved call is under way, and asks for nothing after a reload':
        'plays whole tasks in one browser and looks at them in another',
      'the chat stops while it waits, with a question or for approval':
        'plays whole tasks in one browser and looks at them in another',
      'the chat tells what a person did in the browser, in the words that the agent is told':
        'plays whole tasks in one browser and looks at them in another',
      'threads are marked in other windows as soon as they wait, and no longer':
        'plays whole tasks in one browser and looks at them in another',
      'the chat asks before each action when it is told to':
        'plays whole tasks in one browser and looks at them in another',
      'the chat stops at once': 'plays whole tasks in one browser and looks at them in another',
      'the chat asks in one place, and goes on when a viewer of the live view has answered elsewhere':
        'plays whole tasks in one browser and looks at them in another',
      'the chat lets a person answer the agent with a button':
        'plays whole tasks in one browser and looks at them in another',
      'the chat shows a task being done: words, calls with their effects and pictures, and the answer':
        'plays whole tasks in one browser and looks at them in another',
      'the chat still waits with its question after a reload':
        'plays whole tasks in one browser and looks at them in another',
      'the chat stops when nobody wants to answer': 'plays whole tasks in one browser and looks at them in another',
      'the chat takes an answer in a person’s own words':
        'plays whole tasks in one browser and looks at them in another',
    },
    'packages/playground/test/page/layout.test.ts': {
      'the focus goes along when a run puts another field in the composer’s place':
        'plays whole tasks in one browser and looks at them in another',
      'the focus stays with who types elsewhere meanwhile':
        'plays whole tasks in one browser and looks at them in another',
      'on a phone a task is done in tabs, with a finger':
        'plays whole tasks in one browser and looks at them in another',
      'the focus goes to where a person writes: after a card, a chip, and a thread of the list':
        'plays whole tasks in one browser and looks at them in another',
    },
    'packages/playground/test/page/mcp.test.ts': {
      'the MCP tab gives the lines for clients, and shows who is connected':
        'plays whole tasks in one browser and looks at them in another',
    },
    'packages/playground/test/page/model.test.ts': {
      'with a model a real agent answers, and nothing is said of scripts':
        'plays whole tasks in one browser and looks at them in another',
      'with a model one that cannot be reached is named before anything is asked, and used once it can be':
        'starts programs',
      'with a model the browser agent asks it, and shows what it thinks':
        'plays whole tasks in one browser and looks at them in another',
    },
    'packages/playground/test/page/restart.test.ts': {
      'a page that is open all day after a restart in the middle of a run that waits for approval, one press goes on':
        'plays whole tasks in one browser and looks at them in another',
      'a page that is open all day after a restart in the middle of a run that goes on, one press goes on':
        'plays whole tasks in one browser and looks at them in another',
      'a page that is open all day a run that was cut off as its server was killed is done to its end by one press':
        'plays a task with two servers, one after the other',
      'a page that is open all day reloads when it was built anew, while the server goes on':
        'plays whole tasks in one browser and looks at them in another',
      'a page that is open all day listens to nothing while nobody can see it, and catches up afterwards':
        'plays whole tasks in one browser and looks at them in another',
      'a page that is open all day says when its server is gone, and goes on with the next one':
        'plays whole tasks in one browser and looks at them in another',
    },
    'packages/playground/test/page/run-history.test.ts': {
      'a recorded run is done again with other values, in a browser of its own':
        'plays whole tasks in one browser and looks at them in another',
      'a recorded run is in the history, and can be stepped through':
        'plays whole tasks in one browser and looks at them in another',
      'a recorded run stops where what it looks for is not there, and says what':
        'plays whole tasks in one browser and looks at them in another',
    },
    'packages/playground/test/page/target.trials.test.ts': {
      'a person hits a target of five pixels in the live view 20 times of 20': 'makes many trials',
    },
    'packages/playground/test/page/windows.test.ts': {
      'six windows at once each do a task and show its answer, over two connections that last':
        'plays whole tasks in one browser and looks at them in another',
    },
    'packages/playground/test/server/browser-runs.test.ts': {
      'a request to answer a question that is answered is refused':
        'plays whole tasks in one browser and looks at them in another',
      'the history forgets a run that is deleted, also one that goes on':
        'plays whole tasks in one browser and looks at them in another',
      'the history is on disk, with a picture of each page, and is there after a restart':
        'plays whole tasks in one browser and looks at them in another',
      'the scripted browser agent does the task correct-an-address':
        'plays whole tasks in one browser and looks at them in another',
    },
    'packages/playground/test/tasks.test.ts': {
      'a demo task in a form runs into its checks and puts one thing right':
        'plays whole tasks in one browser and looks at them in another',
    },
    'integrations/agent-browser/test/lifecycle/killed-host.alone.test.ts': {
      'what a killed program has left is removed at the next start of another': 'starts and ends browsers and programs',
      'so is what is left when the program and its browser are killed at once': 'starts and ends browsers and programs',
      'nothing is removed of a program that runs, also while it is stopped': 'starts and ends browsers and programs',
    },
    'integrations/agent-browser/test/policy/canary.test.ts': {
      'text of a page stands between lines in all results, shortened all at once, and in what is said of the browser':
        'calls each tool',
      'text of a page stands between lines in all results, shortened by default, and in what is said of the browser':
        'calls each tool',
    },
    'integrations/agent-browser/test/policy/press-effects.test.ts': {
      'a press that does more than was read is kept from the page goes on at once where nobody has to be asked, and only once':
        'presses or reads many pages',
    },
    'integrations/agent-browser/test/policy/unapproved-presses.trials.test.ts': {
      'without an approval no press sends a form or downloads, by whatever tool, role or change of the page':
        'makes many trials',
    },
    'packages/browser-agent/test/approving.test.ts': {
      'an action that needs approval waits where nobody answers, and after that still takes only a yes':
        'plays whole runs of an agent',
    },
    'packages/browser-agent/test/canary.test.ts': {
      'text of a page stands between lines in all that a run sends to its models, whatever it does':
        'plays whole runs of an agent',
      'text of a page stands between lines in what a run leaves to the next one, and where a page cannot be read':
        'plays whole runs of an agent',
      'text of a page stands between other lines in each message, and a page that is given their number cannot end them':
        'plays whole runs of an agent',
    },
    'packages/playground/test/page/card.test.ts': {
      'the card of a call that waits for approval has a form in lines, all of it outlined and in sight, by keyboard alone':
        'plays whole runs of an agent',
      'the card of a call that waits for approval is the same for a run of the browser agent':
        'plays whole runs of an agent',
    },
    'packages/server/test/video.trials.test.ts': {
      'a viewer of video sees the page through 20 sizes, tabs and late viewers': 'films or traces in real time',
    },
  },
};
