import Swal from 'sweetalert2';

document.querySelector('#app').innerHTML =
  '<h1>Account</h1> <button id="rename">Rename account</button> <p>Name: <b id="name">ann</b></p>';
document.querySelector('#rename').onclick = async () => {
  const { value } = await Swal.fire({
    title: 'New name',
    input: 'text',
    inputLabel: 'Name of the account',
    showCancelButton: true,
    inputValidator: text => (text.length < 4 ? 'At least four letters are needed.' : undefined),
  });
  if (!value) return;
  document.querySelector('#name').textContent = value;
  Swal.fire({
    toast: true,
    position: 'top-end',
    icon: 'success',
    title: `Renamed to ${value}`,
    timer: 60_000,
    showConfirmButton: false,
  });
};
window.state = () => ({
  name: document.querySelector('#name').textContent,
  isOpen: Swal.isVisible() && !document.body.classList.contains('swal2-toast-shown'),
});
