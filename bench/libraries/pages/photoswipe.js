import PhotoSwipe from 'photoswipe';
import PhotoSwipeLightbox from 'photoswipe/lightbox';
import 'photoswipe/style.css';

const picture = colour =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400"><rect width="600" height="400" fill="${colour}"/></svg>`)}`;
document.querySelector('#app').innerHTML = `<h1>Gallery</h1> <div id="gallery">${['red', 'green', 'blue']
  .map(
    colour =>
      `<a href="${picture(colour)}" data-pswp-width="600" data-pswp-height="400"><img src="${picture(colour)}" alt="A ${colour} field" width="120"></a>`,
  )
  .join(' ')}</div>`;
const lightbox = new PhotoSwipeLightbox({ gallery: '#gallery', children: 'a', pswpModule: PhotoSwipe });
const seen = [];
lightbox.on('change', () => seen.push(lightbox.pswp.currIndex));
lightbox.init();
window.state = () => ({ seen, isOpen: Boolean(lightbox.pswp) });
