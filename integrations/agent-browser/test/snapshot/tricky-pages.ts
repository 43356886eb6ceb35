/**
 * Pages with what is hard to see or to tell. What a person can act on says so itself: `data-expect` holds the name that
 * the snapshot must have a ref for. Everything else must have none.
 */
export const TRICKY: Record<string, string> = {
  'native controls': `<button data-expect="button">button</button><a href="#x" data-expect="link">link</a><a>no link</a>
    <input aria-label="text" data-expect="text"><input type="hidden" value="x"><input type="submit" value="send" data-expect="send">
    <input type="image" alt="image button" src="data:," width="40" height="20" data-expect="image button">
    <textarea aria-label="area" data-expect="area"></textarea><select aria-label="list" data-expect="list"><option>one<option>two</select>
    <input type="range" aria-label="range" data-expect="range"><input type="color" aria-label="colour" data-expect="colour">
    <input type="date" aria-label="date" data-expect="date"><input type="number" aria-label="number" data-expect="number">
    <input type="file" aria-label="file" data-expect="file"><input type="checkbox" aria-label="box" data-expect="box">
    <input type="radio" aria-label="dot" data-expect="dot"><input type="time" aria-label="time" data-expect="time">
    <input type="search" aria-label="find" data-expect="find"><p>text</p><h2>heading</h2><output>result</output>
    <progress value="1" max="2"></progress><meter value="1" max="2"></meter><hr><img alt="picture" src="data:," width="20" height="20">`,

  'disabled controls, which are listed as such': `<button disabled data-expect="off">off</button>
    <fieldset disabled><legend><input aria-label="in legend" data-expect="in legend"></legend><input aria-label="in fieldset" data-expect="in fieldset"></fieldset>
    <select disabled aria-label="off list" data-expect="off list"><option>a</select><div role="button" aria-disabled="true" tabindex="0" data-expect="aria off">aria off</div>`,

  'reactions without a role': `<div style="cursor:pointer" data-expect="pointer">pointer</div>
    <div style="cursor:pointer"><b data-x>inherited</b> <i>pointer</i></div><span tabindex="0" data-expect="tab stop">tab stop</span>
    <span tabindex="-1">no tab stop</span><div onclick="x()" data-expect="onclick">onclick</div><div onmousedown="x()" data-expect="onmousedown">onmousedown</div>
    <div @click="x()" data-expect="vue">vue</div><div ng-click="x()" data-expect="angular">angular</div>
    <div contenteditable aria-label="editor" data-expect="editor">text</div><div contenteditable="false">not editable</div>
    <div contenteditable="plaintext-only" aria-label="plain editor" data-expect="plain editor"></div><div onload="x()">onload</div>`.replace(
    '<div style="cursor:pointer"><b data-x>inherited</b> <i>pointer</i></div>',
    '<div style="cursor:pointer" data-expect="inherited pointer"><b>inherited</b> <i>pointer</i></div>',
  ),

  'widgets by role': `<div role="button" data-expect="aria button">aria button</div><span role="link" data-expect="aria link">aria link</span>
    <div role="checkbox" aria-checked="false" aria-label="aria box" data-expect="aria box"></div>
    <style>[role]{display:inline-block;min-width:20px;min-height:20px}</style>
    <div role="switch" aria-checked="true" data-expect="aria switch">aria switch</div><div role="slider" aria-label="aria slider" aria-valuenow="3" data-expect="aria slider"></div>
    <div role="textbox" aria-label="aria field" data-expect="aria field"></div><div role="spinbutton" aria-label="aria number" data-expect="aria number"></div>
    <div role="combobox" aria-label="aria combo" data-expect="aria combo"></div><div role="tablist"><div role="tab" data-expect="tab one">tab one</div><div role="tab" data-expect="tab two">tab two</div></div>
    <div role="menu"><div role="menuitem" data-expect="item">item</div><div role="menuitemcheckbox" data-expect="check item">check item</div></div>
    <div role="tree"><div role="treeitem" data-expect="leaf">leaf</div></div><div role="listbox" aria-label="aria list"><div role="option" data-expect="choice">choice</div></div>
    <div role="radiogroup"><div role="radio" data-expect="aria radio">aria radio</div></div><button role="presentation" data-expect="still a button">still a button</button>
    <div role="group">group</div><div role="img" aria-label="drawing">x</div><div role="heading" aria-level="2">aria heading</div>`,

  'labels of hidden controls': `<style>.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0)} .off{position:absolute;left:-9999px} .gone{display:none} .see{opacity:0;width:20px;height:20px}</style>
    <input type="checkbox" id="a" class="sr"><label for="a" data-expect="sr box">sr box</label>
    <label data-expect="gone box"><input type="checkbox" class="gone">gone box</label>
    <input type="radio" id="c" class="off"><label for="c" data-expect="off radio">off radio</label>
    <label data-expect="hidden file"><input type="file" class="gone">hidden file</label>
    <label><input type="checkbox" aria-label="clear box" class="see" data-expect="clear box"> clear</label>
    <label for="e">plain label</label><input id="e" aria-label="field" data-expect="field"><label>label of nothing</label>`,

  'what is not rendered': `<button style="display:none">a</button><button hidden>b</button><div style="display:none"><button>c</button></div>
    <button style="visibility:hidden">d</button><div style="visibility:hidden">x<button style="visibility:visible" data-expect="visible again">visible again</button><button>e</button></div>
    <button style="visibility:collapse">f</button><template><button>g</button></template><noscript><button>h</button></noscript>
    <div style="content-visibility:hidden"><button>i</button></div><div style="content-visibility:auto"><button data-expect="auto">auto</button></div>
    <div hidden="until-found"><button>j</button></div><details><summary data-expect="closed">closed</summary><button>k</button></details>
    <details open><summary data-expect="opened">opened</summary><button data-expect="in details">in details</button></details>
    <dialog><button>l</button></dialog><dialog open><button data-expect="in dialog">in dialog</button></dialog>
    <div popover><button>m</button></div><object data="data:,"><button>n</button></object><canvas><button>o</button></canvas><script type="text/x"><button>p</button></script>`,

  'what has no size': `<button style="width:0;height:0;padding:0;border:0;overflow:hidden">a</button>
    <div style="width:0;height:0"><button data-expect="overflows">overflows</button></div>
    <div role="button" style="width:0;height:0" aria-label="by its child" data-expect="by its child"><span style="display:inline-block;width:20px;height:20px"></span></div>
    <div style="display:contents"><button data-expect="in contents">in contents</button></div>
    <a href="#x" style="display:contents" data-expect="link of contents"><span>link of contents</span></a>
    <a href="#y" style="display:contents" data-expect="text of contents">text of contents</a><a href="#z"></a>
    <button style="transform:scale(0)">b</button><button style="transform:scale(2) rotate(9deg);margin:20px" data-expect="turned">turned</button>
    <a href="#q" data-expect="float"><div style="float:left">float</div></a><br style="clear:both">
    <a href="#w" aria-label="background" style="display:inline-block;width:24px;height:24px;background:red" data-expect="background"></a>`,

  'what is in a collapsed box': `<div style="max-height:0;overflow:hidden"><button>a</button><a href="#x">b</a></div>
    <div style="display:grid;grid-template-rows:0fr"><div style="overflow:hidden;min-height:0"><p style="cursor:pointer">c</p></div></div>
    <div style="width:0;overflow:clip"><div style="overflow:auto;width:90px"><div role="tab" tabindex="0">d</div></div></div>
    <div style="position:relative;height:1px;overflow:hidden"><button style="position:absolute;top:0">e</button></div>
    <div style="height:0;overflow:hidden"><button style="position:absolute" data-expect="hangs out">hangs out</button></div>
    <div style="height:0;overflow:hidden"><button style="position:fixed;top:300px" data-expect="fixed">fixed</button></div>
    <div style="height:0"><button data-expect="not cut">not cut</button></div><br><br>
    <div style="height:0;overflow:hidden"><input type="file" aria-label="files" data-expect="files"><textarea aria-label="keys" data-expect="keys"></textarea></div>`,

  'what is where nobody can go': `<a href="#main" style="position:absolute;left:-9999px">skip</a><button style="position:absolute;top:-200px">above</button>
    <button style="position:absolute;left:3000px" data-expect="to the right">to the right</button>
    <div style="height:3000px"></div><button data-expect="far below">far below</button>
    <div style="position:fixed;left:-500px;width:300px"><button>off canvas</button></div>`,

  'what was scrolled out of a box': `<div id="list" style="overflow:auto;height:100px"><button data-expect="first">first</button><div style="height:2000px"></div><button data-expect="last">last</button></div>
    <div id="row" style="overflow:auto;width:200px;white-space:nowrap"><button data-expect="left">left</button><div style="display:inline-block;width:3000px"></div><button data-expect="right">right</button></div>
    <script>list.scrollTop = 1e6; row.scrollLeft = 1e6;</script>`,
  'a page from right to left': `<html dir="rtl"><body style="width:3000px"><button data-expect="start">start</button><button style="position:absolute;right:2500px" data-expect="far left">far left</button>
    <button style="position:absolute;left:3000px;top:-300px">nowhere</button>`,

  'what is hidden from assistive technology, or inert': `<div aria-hidden="true"><button>a</button></div><div inert><button>b</button><a href="#x">c</a></div>
    <div aria-hidden="false"><button data-expect="not hidden">not hidden</button></div><button aria-hidden="TRUE">d</button>`,

  'wrappers around one control': `<li style="cursor:pointer"><a href="#x" data-expect="only me">only me</a></li>
    <div style="cursor:pointer"><button data-expect="inner">inner</button></div>
    <button data-expect="icon button"><svg width="10" height="10"><path d="M0 0h9v9z"/></svg><span>icon button</span></button>
    <a href="#y" data-expect="link with parts"><h3>link with</h3><span style="cursor:pointer">parts</span></a>
    <label style="cursor:pointer">Name <input aria-label="in label" data-expect="in label"></label>`,

  'a modal dialog': `<button>behind</button><dialog id="d"><button data-expect="in the modal">in the modal</button></dialog><a href="#x">behind too</a><script>d.showModal()</script>`,
  'a dialog that is not modal': `<button data-expect="beside">beside</button><dialog id="d"><button data-expect="in it">in it</button></dialog><script>d.show()</script>`,
  'a modal by aria': `<button>behind</button><div role="dialog" aria-modal="true"><button data-expect="ok">ok</button></div>`,
  'a modal over a modal': `<dialog id="a"><button>first</button><dialog id="b"><button data-expect="second">second</button></dialog></dialog><script>a.showModal();b.showModal()</script>`,
  'a hidden modal': `<button data-expect="alone">alone</button><div role="dialog" aria-modal="true" hidden><button>x</button></div><div aria-modal="true" role="dialog" style="display:none"><button>y</button></div>`,
  'a list that a component opens over its dialog':
    `<div id="root"><button>behind</button><div role="dialog" aria-modal="true" style="position:fixed;inset:0;background:white"><button data-expect="choose">choose</button></div></div>
    <div><div style="position:fixed;top:50px;left:0;width:200px;background:white"><div role="listbox" aria-label="choices"><div role="option" data-expect="red">red</div></div></div></div>
    <div style="position:absolute;top:0"><button>below the dialog</button></div><div role="status" style="position:fixed;bottom:0;background:white"><button data-expect="undo">undo</button></div>`.replace(
      'position:absolute;top:0',
      'position:absolute;top:0;z-index:-1',
    ),
  'an open popover': `<button data-expect="opener">opener</button><div popover id="p"><button data-expect="in the popover">in the popover</button></div><script>p.showPopover()</script>`,
  'a modal inside a shadow tree': `<button>behind</button><x-modal></x-modal><script>
    customElements.define('x-modal', class extends HTMLElement { connectedCallback() {
      const root = this.attachShadow({ mode: 'open' }); root.innerHTML = '<dialog><button data-expect="deep ok">deep ok</button></dialog>'; root.querySelector('dialog').showModal(); } });</script>`,

  'shadow trees': `<x-open></x-open><x-closed></x-closed><x-slot><button slot="b" data-expect="slotted">slotted</button><button>in no slot</button></x-slot>
    <x-slot><b>x</b></x-slot><div id="plain"></div><x-nest></x-nest><script>
    const define = (name, mode, html) => customElements.define(name, class extends HTMLElement { constructor() { super(); this.attachShadow({ mode }).innerHTML = html; } });
    define('x-open', 'open', '<button data-expect="in open">in open</button>');
    define('x-closed', 'closed', '<button data-expect="in closed">in closed</button>');
    let fallback = 0;
    customElements.define('x-slot', class extends HTMLElement { constructor() { super(); const n = ++fallback;
      this.attachShadow({ mode: 'open' }).innerHTML = '<slot name="b"><button>fallback ' + n + '</button></slot>'; } });
    define('x-inner', 'closed', '<button data-expect="closed in closed">closed in closed</button>');
    define('x-nest', 'closed', '<p><x-inner></x-inner></p>');
    plain.attachShadow({ mode: 'closed' }).innerHTML = '<a href="#x" data-expect="in a plain host">in a plain host</a>';
  </script><i hidden data-expect="fallback 2"></i>`,
  'declarative shadow trees': `<div><template shadowrootmode="open"><button data-expect="declared open">declared open</button></template></div>
    <section><template shadowrootmode="closed"><p>Text</p><button data-expect="declared closed">declared closed</button></template></section>
    <article><template shadowrootmode="closed"><slot></slot></template><button data-expect="light in closed">light in closed</button></article>
    <x-late><template shadowrootmode="closed"><button data-expect="custom closed">custom closed</button></template></x-late>`,
  'a closed shadow tree around light children': `<div id="host"><button data-expect="given">given</button><button>not given</button></div><script>
    host.lastElementChild.slot = 'nowhere';
    host.attachShadow({ mode: 'closed' }).innerHTML = '<button data-expect="own">own</button><slot></slot>';</script>`,

  'svg and image maps': `<svg width="100" height="40"><a href="#s" data-expect="svg link"><text y="20">svg link</text></a></svg>
    <svg width="20" height="20" role="button" aria-label="svg button" data-expect="svg button"><rect width="9" height="9"/></svg>
    <svg width="20" height="20" aria-label="picture"><circle r="5"/></svg><svg width="50" height="20"><g tabindex="0" aria-label="svg part" data-expect="svg part"><rect width="20" height="20"/></g></svg>
    <img usemap="#m" src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='100' height='50'/>" width="100" height="50" alt="map">
    <map name="unused"><area shape="rect" coords="0,0,9,9" href="#u" alt="area of an unused map"></map>
    <map name="m"><area shape="rect" coords="0,0,50,50" href="#l" alt="left area" data-expect="left area"><area shape="rect" coords="50,0,100,50" href="#r" alt="right area" data-expect="right area"><area shape="rect" coords="0,0,1,1" alt="no area"></map>`,

  media: `<video controls aria-label="film" width="200" height="100" data-expect="film"></video><video width="50" height="50"></video>
    <audio controls aria-label="sound" data-expect="sound"></audio><audio></audio>`,

  'clipped and covered areas': `<div style="overflow:hidden;height:30px;position:relative"><button data-expect="shown">shown</button></div>
    <div style="overflow:auto;height:40px"><div style="height:300px"></div><button data-expect="scrolled out">scrolled out</button></div>
    <header style="position:sticky;top:0"><button data-expect="sticky">sticky</button></header>
    <div style="position:fixed;bottom:0"><button data-expect="fixed">fixed</button></div>`,

  'lists and tables': `<ul><li>plain</li><li onclick="x()" data-expect="click row">click row</li></ul>
    <table><tr onclick="x()" data-expect="row cell"><td>row</td><td>cell</td></tr><tr><td>a</td><td><input type="checkbox" aria-label="pick" data-expect="pick"></td></tr></table>
    <dl><dt>term</dt><dd><a href="#d" data-expect="definition">definition</a></dd></dl>`,

  'forms with fields named like DOM properties': `<form><input name="firstChild" aria-label="f1" data-expect="f1"><input name="children" aria-label="f2" data-expect="f2">
    <input name="getAttribute" aria-label="f3" data-expect="f3"><input name="tagName" aria-label="f4" data-expect="f4"><input name="parentNode" aria-label="f5" data-expect="f5">
    <input name="checkVisibility" aria-label="f6" data-expect="f6"><input name="nextSibling" aria-label="f7" data-expect="f7"><input name="matches" aria-label="f8" data-expect="f8">
    <input name="attributes" aria-label="f9" data-expect="f9"><input name="querySelectorAll" aria-label="f10" data-expect="f10"><input name="closest" aria-label="f11" data-expect="f11">
    <input name="isConnected" aria-label="f12" data-expect="f12"><input name="shadowRoot" aria-label="f13" data-expect="f13"><input name="nodeType" aria-label="f14" data-expect="f14">
    <input name="getRootNode" aria-label="f15" data-expect="f15"><input name="tabIndex" aria-label="f16" data-expect="f16"><input name="id" aria-label="f17" data-expect="f17"></form>
    <form onclick="x()" aria-label="form" data-expect="form"><input name="contains" aria-label="g1" data-expect="g1"><input name="getBoundingClientRect" aria-label="g2" data-expect="g2"></form>
    <img name="body" src="data:,"><img name="activeElement"><img name="querySelectorAll"><a id="location" name="location"></a>`,
};
